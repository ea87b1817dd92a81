// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What copying beside computing costs: the block pipeline over the cap of its copies, and who slows down whom.
import * as Plot from "@observablehq/plot";

import { Chart, distinct, InterferencePoint, numberText, PipelinePoint } from "./data";
import { colourOf, legend, multiples, note } from "./page";

const shown = 12;

function capOrder(cap: string): number {
  return cap === "unlimited" ? Infinity : Number(cap);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function notes(place: HTMLElement, titles: string[], same: string): void {
  if (titles.length > shown) place.append(note(`The first ${shown} of ${titles.length} series; the table has all.`));
  if (same) place.append(note(`Every point: ${same}.`));
}

export function drawPipeline(place: HTMLElement, chart: Chart<PipelinePoint>): void {
  const rows = chart.points.filter((point) => point.value != null).sort((a, b) => capOrder(a.cap) - capOrder(b.cap));
  const kernels = distinct(rows.map((row) => row.kernel)).sort();
  const titles = distinct(rows.map((row) => row.series));
  const colour = (row: PipelinePoint) => colourOf(kernels.indexOf(row.kernel));
  place.append(
    legend([
      ...kernels.map((label, index) => ({ label, colour: colourOf(index) })),
      { label: "computing alone", colour: "var(--quiet)", dashed: true },
      { label: "predicted", colour: "var(--quiet)", ring: true },
    ]),
  );
  multiples(place, titles.slice(0, shown), (index, width) => {
    const own = rows.filter((row) => row.series === titles[index]);
    const alone = own.map((row) => row.compute_only).filter((value): value is number => value != null);
    const top = Math.max(...own.flatMap((row) => [row.value ?? 0, row.upper ?? 0, row.predicted ?? 0]), ...alone);
    return {
      height: Math.min(340, Math.max(230, width * 0.5)),
      marginLeft: 56,
      marginBottom: 42,
      x: { type: "point", domain: distinct(own.map((row) => row.cap)), label: "cap of each direction, GB/s", labelOffset: 34 },
      y: { domain: [0, top * 1.05], label: "ms a step", grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([0]),
        Plot.ruleY(alone.length > 0 ? [mean(alone)] : [], { stroke: "var(--quiet)", strokeDasharray: "4,3", strokeWidth: 1.5 }),
        Plot.ruleX(own, { x: "cap", y1: "lower", y2: "upper", stroke: colour, filter: (row) => row.lower != null }),
        Plot.line(own, { x: "cap", y: "value", z: "kernel", stroke: colour, strokeWidth: 1.75 }),
        Plot.dot(own, { x: "cap", y: "predicted", r: 5, stroke: "var(--quiet)", filter: (row) => row.predicted != null }),
        Plot.dot(own, {
          x: "cap",
          y: "value",
          fill: colour,
          r: 2.5,
          tip: true,
          title: (row) =>
            `${row.kernel}, ${row.cap} GB/s\n${numberText(row.value)} ms a step\npredicted ${numberText(row.predicted ?? NaN)} ms`,
        }),
      ],
    };
  });
  notes(place, titles, chart.same);
}

export function drawInterference(place: HTMLElement, chart: Chart<InterferencePoint>): void {
  const rows = chart.points.filter((point) => point.value != null);
  const titles = distinct(rows.map((row) => row.series));
  // One scale for all cells: no slowdown is blank, the worst is full.
  const worst = Math.max(1.01, ...rows.map((row) => row.value ?? 1));
  const strength = (row: InterferencePoint) => Math.max(0, (row.value ?? 1) - 1) / (worst - 1);
  multiples(place, titles.slice(0, shown), (index, width) => {
    const own = rows.filter((row) => row.series === titles[index]);
    const victims = distinct(own.map((row) => row.victim));
    const cell = { x: "aggressor", y: "victim" };
    return {
      height: 70 + 44 * victims.length,
      width: Math.min(width, 620),
      marginLeft: 80,
      marginTop: 34,
      x: { type: "band", domain: distinct(own.map((row) => row.aggressor)), axis: "top", label: null, tickSize: 0, padding: 0.04 },
      y: { type: "band", domain: victims, label: null, tickSize: 0, padding: 0.04 },
      marks: [
        Plot.cell(own, { ...cell, fill: "var(--series-1)", fillOpacity: (row) => 0.08 + 0.72 * strength(row), inset: 0.5 }),
        Plot.text(own, {
          ...cell,
          text: (row) => `${(row.value ?? NaN).toFixed(2)}x`,
          fill: "currentColor",
          tip: true,
          title: (row) =>
            `${row.victim} beside ${row.aggressor}\n${numberText(row.value ?? NaN)}x [${numberText(row.lower ?? NaN)}, ${numberText(row.upper ?? NaN)}]\nbeside spinning: ${numberText(row.spinning ?? NaN)}x`,
        }),
      ],
    };
  });
  notes(place, titles, chart.same);
}
