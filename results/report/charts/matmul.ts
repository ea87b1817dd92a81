// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rate of matrix products over the size that was swept: a line a dtype, a small chart a series.
import * as Plot from "@observablehq/plot";

import { lineMarks, spacedTicks } from "../curve";
import { Bounded, Chart, distinct, numberText } from "../data";
import { colourOf, legend, noteSame, seriesCharts } from "../page";

interface MatmulPoint extends Bounded {
  back_end: string;
  kernel: string; // dtype
  series: string;
  size: number;
  of_peak: number | null; // percent
}

interface MatmulData extends Chart<MatmulPoint> {
  size: string; // "m = n = k": what was swept
}

function drawMatmul(place: HTMLElement, chart: MatmulData): void {
  const rows = chart.points.filter((point) => point.value != null).sort((a, b) => a.size - b.size);
  const dtypes = distinct(chart.points.map((point) => point.kernel));
  const titleOf = (row: MatmulPoint) => [row.back_end, row.series].filter(Boolean).join(", ");
  const titles = distinct(chart.points.map(titleOf));
  const colour = (row: MatmulPoint) => colourOf(dtypes.indexOf(row.kernel));
  place.append(legend(dtypes.map((label, index) => ({ label, colour: colourOf(index) }))));
  seriesCharts(place, titles, (index, width) => {
    const own = rows.filter((row) => titleOf(row) === titles[index]);
    // Hosts and GPUs are far apart: each back end has a scale of its own.
    const alike = rows.filter((row) => row.back_end === own[0].back_end);
    const top = Math.max(...alike.flatMap((row) => [row.value ?? 0, row.upper ?? 0]));
    const title = (row: MatmulPoint) =>
      `${row.kernel}, ${chart.size} ${row.size}\n${numberText(row.value ?? NaN)} TFLOP/s` + (row.of_peak == null ? "" : `\n${numberText(row.of_peak)} % of peak`);
    return {
      height: Math.min(320, Math.max(220, width * 0.5)),
      marginLeft: 56,
      marginRight: 28,
      marginBottom: 42,
      x: { type: "log", base: 2, label: chart.size, labelOffset: 34, ticks: spacedTicks(distinct(own.map((row) => row.size)), width - 84), tickFormat: "d" },
      y: { domain: [0, top * 1.05], label: "TFLOP/s", grid: true, ticks: 5 },
      marks: [Plot.ruleY([0]), ...lineMarks(own, { x: "size", z: "kernel", stroke: colour, title })],
    };
  });
  noteSame(place, chart.same);
}

export const drawers = { matmul: drawMatmul };
