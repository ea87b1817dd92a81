// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Curves over sizes in bytes: their axes, and marks with intervals.
import * as Plot from "@observablehq/plot";

import { Bounded, bytesText, FootprintPoint, numberText } from "./data";
import { logTicks } from "./page";

export type Row = FootprintPoint & { line: string };

/** Powers of four between the ends, so that labels have space. */
function byteTicks(points: { bytes: number }[], width: number): number[] {
  const sizes = points.map((point) => point.bytes);
  const first = Math.ceil(Math.log2(Math.min(...sizes)));
  const last = Math.floor(Math.log2(Math.max(...sizes)));
  const step = Math.max(1, Math.ceil((last - first + 1) / (width / 75)));
  const ticks = [];
  for (let power = first; power <= last; power += step) ticks.push(2 ** power);
  return ticks;
}

/** Of sizes in order on a logarithmic axis, those whose labels do not touch. */
export function spacedTicks(sizes: number[], width: number): number[] {
  const label = 44;
  const pixels = (from: number, to: number) => (width * Math.log(to / from)) / (Math.log(sizes[sizes.length - 1] / sizes[0]) || 1);
  const kept: number[] = [];
  for (const size of sizes) if (kept.length === 0 || pixels(kept[kept.length - 1], size) >= label) kept.push(size);
  return kept;
}

/** d3 leaves out labels of a logarithmic scale as it sees fit, so the axes are marks with their own text. */
export function logAxes(points: { bytes: number }[], domain: number[], unit: string, width: number, label = "footprint"): Plot.Markish[] {
  const ticks = logTicks(domain[0], domain[1]);
  return [
    Plot.gridY(ticks),
    Plot.axisY(ticks, { text: numberText, label: unit }),
    ...bytesAxis(points, width, label),
  ];
}

export function bytesAxis(points: { bytes: number }[], width: number, label = "footprint"): Plot.Markish[] {
  return [Plot.axisX(byteTicks(points, width), { text: bytesText, label, labelOffset: 34 })];
}

/** Logarithmic where the values span more than a factor of 20, else from zero. */
export function valueScale(values: number[]): { type: "log" | "linear"; domain: number[] } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high / low > 20 ? { type: "log", domain: [low * 0.8, high * 1.25] } : { type: "linear", domain: [0, high * 1.05] };
}

/** The axes of curves over bytes, by the scale of their values. */
export function curveAxes(points: { bytes: number }[], scale: { type: string; domain: number[] }, unit: string, width: number, label: string): Plot.Markish[] {
  if (scale.type === "log") return logAxes(points, scale.domain, `${unit}, logarithmic`, width, label);
  return [Plot.gridY({ ticks: 5 }), Plot.axisY({ ticks: 5, label: unit }), ...bytesAxis(points, width, label)];
}

interface Lines<Point> {
  x: string | ((point: Point) => number);
  z: string; // a line each
  stroke: (point: Point) => string;
  title: (point: Point) => string;
}

/** Values as lines, with their intervals as upright strokes. */
export function lineMarks<Point extends Bounded>(points: Point[], { x, z, stroke, title }: Lines<Point>): Plot.Markish[] {
  return [
    Plot.ruleX(points, { x, y1: "lower", y2: "upper", stroke, filter: (point) => point.lower != null }),
    Plot.line(points, { x, y: "value", z, stroke, strokeWidth: 1.75 }),
    Plot.dot(points, { x, y: "value", fill: stroke, r: 2.5, tip: true, title }),
  ];
}

export function curveMarks(rows: Row[], colour: (row: Row) => string, unit: string): Plot.Markish[] {
  const title = (row: Row) => `${row.line}\n${bytesText(row.bytes)}: ${numberText(row.value ?? NaN)} ${unit}`;
  return lineMarks(rows, { x: "bytes", z: "line", stroke: colour, title });
}
