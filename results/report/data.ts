// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What several charts read of the report's data, and how numbers are written. A chart owns the form of its own data.
export interface Bounded {
  value: number | null;
  lower: number | null;
  upper: number | null;
}

export interface FootprintPoint extends Bounded {
  back_end: string;
  kernel: string;
  series: string;
  bytes: number;
  ceiling?: number | null; // GB/s
}

export interface Chart<Point> {
  points: Point[];
  same: string; // axes that do not vary
}

/** Simulated: by which rules, with which known errors, on which coefficients. */
export interface SimulatedChart<Point> extends Chart<Point> {
  notes: string[];
}

/** The data of every chart by its name, as results/report/sections.cpp writes it. */
export interface ReportData {
  run_id: string;
  origin: string;
  [chart: string]: unknown;
}

/** The distinct values, in order of first appearance. */
export function distinct<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

/** 65536 to "64 KiB". */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    ++unit;
  }
  return `${Number(bytes.toPrecision(4))} ${units[unit]}`;
}

export function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Hours, minutes or seconds, whichever suits the whole. */
export function timeScale(seconds: number): { unit: string; divisor: number } {
  if (seconds > 3 * 3600) return { unit: "hours", divisor: 3600 };
  return seconds > 300 ? { unit: "minutes", divisor: 60 } : { unit: "seconds", divisor: 1 };
}
