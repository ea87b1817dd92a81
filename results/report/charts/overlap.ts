// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What copying costs while computing: the block pipeline over the cap of its copies.
import * as Plot from "@observablehq/plot";

import { lineMarks } from "../curve";
import { Bounded, Chart, distinct, numberText } from "../data";
import { colourOf, legend, noteSame, seriesCharts } from "../page";

interface PipelinePoint extends Bounded {
  back_end: string;
  series: string;
  kernel: string;
  cap: string; // GB/s of each direction, or "unlimited"
  compute_only: number | null; // ms
  predicted: number | null; // ms
}

function capOrder(cap: string): number {
  return cap === "unlimited" ? Infinity : Number(cap);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function drawPipeline(place: HTMLElement, chart: Chart<PipelinePoint>): void {
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
  seriesCharts(place, titles, (index, width) => {
    const own = rows.filter((row) => row.series === titles[index]);
    const alone = own.map((row) => row.compute_only).filter((value): value is number => value != null);
    const top = Math.max(...own.flatMap((row) => [row.value ?? 0, row.upper ?? 0, row.predicted ?? 0]), ...alone);
    const title = (row: PipelinePoint) =>
      `${row.kernel}, ${row.cap} GB/s\n${numberText(row.value ?? NaN)} ms a step\npredicted ${numberText(row.predicted ?? NaN)} ms`;
    return {
      height: Math.min(340, Math.max(230, width * 0.5)),
      marginLeft: 56,
      marginBottom: 42,
      x: { type: "point", domain: distinct(own.map((row) => row.cap)), label: "cap of each direction, GB/s", labelOffset: 34 },
      y: { domain: [0, top * 1.05], label: "ms a step", grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([0]),
        Plot.ruleY(alone.length > 0 ? [mean(alone)] : [], { stroke: "var(--quiet)", strokeDasharray: "4,3", strokeWidth: 1.5 }),
        Plot.dot(own, { x: "cap", y: "predicted", r: 5, stroke: "var(--quiet)", filter: (row) => row.predicted != null }),
        ...lineMarks(own, { x: "cap", z: "kernel", stroke: colour, title }),
      ],
    };
  });
  noteSame(place, chart.same);
}

export const drawers = { pipeline: drawPipeline };
