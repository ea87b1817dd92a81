// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency over size. Where a back end has few sizes, bandwidth is bars.
import * as Plot from "@observablehq/plot";

import { curveAxes, curveMarks, logAxes, Row, valueScale } from "../curve";
import { bytesText, Chart, distinct, FootprintPoint, numberText, ReportData } from "../data";
import { colourOf, legend, LegendEntry, multiples, noteSame, seriesCharts } from "../page";

interface CacheLevel {
  back_end: string;
  name: string;
  bytes: number;
}

const enoughForACurve = 3;
const pixelsALetter = 6.5; // at 12 px

const ceilingEntry = { label: "ceiling of the link", colour: "var(--quiet)", dashed: true };

function ceilingsOf(points: FootprintPoint[]): number[] {
  return distinct(points.map((point) => point.ceiling).filter((value): value is number => value != null));
}

function drawCurves(place: HTMLElement, points: FootprintPoint[], backEnd: string, across: string): void {
  const kernels = distinct(points.map((point) => point.kernel));
  const titles = distinct(points.map((point) => point.series));
  const rows: Row[] = points.map((point) => ({ ...point, line: point.kernel }));
  const colour = (row: Row) => colourOf(kernels.indexOf(row.kernel));
  const scale = valueScale([...points.flatMap((point) => [point.value ?? 1, point.upper ?? point.value ?? 1]), ...ceilingsOf(points)]);
  place.append(
    legend([
      ...kernels.map((label, index) => ({ label, colour: colourOf(index) })),
      ...(ceilingsOf(points).length > 0 ? [ceilingEntry] : []),
    ]),
  );
  seriesCharts(
    place,
    titles.map((title) => [backEnd, title].filter(Boolean).join(", ")),
    (index, width) => ({
      height: Math.min(320, Math.max(220, width * 0.6)),
      marginLeft: 52,
      marginBottom: 42,
      x: { type: "log", base: 2 },
      y: scale,
      marks: [
        ...curveAxes(points, scale, "GB/s", width, across),
        Plot.ruleY(ceilingsOf(rows.filter((row) => row.series === titles[index])), { stroke: "var(--quiet)", strokeWidth: 1.25, strokeDasharray: "4,3" }),
        ...curveMarks(rows.filter((row) => row.series === titles[index]), colour, "GB/s"),
      ],
    }),
  );
}

function drawBars(place: HTMLElement, points: FootprintPoint[], backEnd: string): void {
  const sizes = distinct(points.map((point) => point.bytes));
  const nameOf = (point: FootprintPoint) =>
    [sizes.length > 1 ? bytesText(point.bytes) : "", point.series].filter(Boolean).join(", ");
  const names = distinct(points.map(nameOf));
  const rows = points.map((point) => ({ ...point, name: nameOf(point) }));
  const kernels = distinct(points.map((point) => point.kernel));
  const ceilings = points.filter((point) => point.ceiling != null);
  const entries: LegendEntry[] = names.map((label, index) => ({ label: label || "not an axis of this kernel", colour: colourOf(index) }));
  place.append(legend([...(names.length > 1 ? entries : []), ...(ceilings.length > 0 ? [ceilingEntry] : [])]));
  multiples(place, [backEnd + (sizes.length === 1 ? `, ${bytesText(sizes[0])}` : "")], (_, width) => ({
    height: 62 + kernels.length * (names.length * 16 + 10),
    marginLeft: Math.max(88, 16 + pixelsALetter * Math.max(...kernels.map((kernel) => kernel.length))),
    marginRight: 60,
    marginBottom: 42,
    x: { label: "GB/s", labelOffset: 34, grid: true, ticks: width < 500 ? 4 : 8, domain: [0, Math.max(...rows.flatMap((row) => [row.upper ?? row.value ?? 0, row.ceiling ?? 0])) * 1.02] },
    y: { domain: names, axis: null },
    fy: { domain: kernels, label: null },
    marks: [
      Plot.barX(rows, {
        x: "value", y: "name", fy: "kernel", fill: (row) => colourOf(names.indexOf(row.name)), fillOpacity: 0.75, insetTop: 1,
        insetBottom: 1, tip: true, title: (row) => `${row.kernel} ${row.name}\n${numberText(row.value)} GB/s`,
      }),
      Plot.ruleY(rows, { x1: "lower", x2: "upper", y: "name", fy: "kernel", strokeWidth: 2, filter: (row) => row.lower != null }),
      Plot.text(rows, { x: "upper", y: "name", fy: "kernel", text: (row) => numberText(row.value), textAnchor: "start", dx: 5 }),
      Plot.tickX(ceilings, { x: "ceiling", fy: "kernel", stroke: "var(--quiet)", strokeWidth: 1.5, strokeDasharray: "4,3" }),
      Plot.ruleX([0]),
    ],
  }));
}

export function drawBandwidth(place: HTMLElement, chart: Chart<FootprintPoint>, across = "footprint"): void {
  for (const backEnd of distinct(chart.points.map((point) => point.back_end))) {
    const points = chart.points.filter((point) => point.back_end === backEnd && point.value != null);
    const isCurve = distinct(points.map((point) => point.bytes)).length >= enoughForACurve;
    (isCurve ? drawCurves : drawBars)(place, points, backEnd, across);
  }
  noteSame(place, chart.same);
}

function drawLatency(place: HTMLElement, chart: Chart<FootprintPoint>, levels: CacheLevel[]): void {
  const rows: Row[] = chart.points
    .filter((point) => point.value != null)
    .map((point) => ({ ...point, line: [point.back_end, point.series].filter(Boolean).join(", ") }));
  const lines = distinct(rows.map((row) => row.line));
  const ends = [Math.min(...rows.map((row) => row.bytes)), Math.max(...rows.map((row) => row.bytes))];
  const within = levels.filter((level) => rows.some((row) => row.back_end === level.back_end) && level.bytes > ends[0] && level.bytes < ends[1]);
  const values = rows.map((row) => row.value ?? 1);
  const domain = [Math.min(...values) * 0.8, Math.max(...values) * 1.3];
  place.append(legend(lines.map((label, index) => ({ label, colour: colourOf(index) }))));
  multiples(place, [""], (_, width) => ({
    height: Math.min(400, Math.max(260, width * 0.45)),
    marginLeft: 52,
    marginTop: 28,
    marginBottom: 42,
    x: { type: "log", base: 2 },
    y: { type: "log", domain },
    marks: [
      ...logAxes(rows, domain, "ns a load", width),
      Plot.ruleX(within, { x: "bytes", strokeDasharray: "3,3", strokeOpacity: 0.6 }),
      Plot.text(within, { x: "bytes", text: (level) => `${level.name} ${bytesText(level.bytes)}`, frameAnchor: "top", dy: -14, textAnchor: "end", dx: -3 }),
      ...curveMarks(rows, (row) => colourOf(lines.indexOf(row.line)), "ns"),
    ],
  }));
  noteSame(place, chart.same);
}

export const drawers = {
  bandwidth: drawBandwidth,
  latency: (place: HTMLElement, chart: Chart<FootprintPoint>, report: ReportData) => drawLatency(place, chart, report.cache_levels as CacheLevel[]),
};
