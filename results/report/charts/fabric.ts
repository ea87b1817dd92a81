// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fabric over message size: bandwidth under its ceiling, latency with its tail. A ring marks a point whose link was
// not clean.
import * as Plot from "@observablehq/plot";

import { curveAxes, curveMarks, Row, valueScale } from "../curve";
import { bytesText, Chart, distinct, FootprintPoint, numberText } from "../data";
import { colourOf, legend, LegendEntry, noteSame, seriesCharts } from "../page";

interface FabricPoint extends FootprintPoint {
  link_class: string; // clean, congested, unknown, lossy, faulty
  p99?: number | null; // us
}

/** The end of a whisker: as wide on every screen. */
const stroke = {
  draw(path: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }, length: number): void {
    path.moveTo(0, 0);
    path.lineTo(0, -length);
  },
};

type FabricRow = Row & FabricPoint;

interface Look {
  unit: string;
  extra: (row: FabricPoint) => number | null | undefined; // what the scale must hold as well as the value
  marks: (rows: FabricRow[], colour: (row: Row) => string) => Plot.Markish[];
  legend: (rows: FabricRow[]) => LegendEntry[];
}

function notClean(rows: FabricRow[]): FabricRow[] {
  return rows.filter((row) => row.link_class !== "clean");
}

function ringEntry(rows: FabricRow[]): LegendEntry[] {
  const classes = distinct(notClean(rows).map((row) => row.link_class));
  return classes.length === 0 ? [] : [{ label: `link not clean: ${classes.join(", ")}`, colour: "var(--bad)", ring: true }];
}

function ringMarks(rows: FabricRow[], unit: string): Plot.Markish[] {
  const title = (row: FabricRow) => `${row.line}\n${bytesText(row.bytes)}: ${numberText(row.value ?? NaN)} ${unit}\n${row.link_class}`;
  return [Plot.dot(notClean(rows), { x: "bytes", y: "value", r: 6, stroke: "var(--bad)", strokeWidth: 2, tip: true, title })];
}

function draw(place: HTMLElement, chart: Chart<FabricPoint>, look: Look): void {
  const rows: FabricRow[] = chart.points
    .filter((point) => point.value != null)
    .map((point) => ({ ...point, line: point.kernel }))
    .sort((a, b) => a.bytes - b.bytes);
  const kernels = distinct(chart.points.map((point) => point.kernel));
  const titles = distinct(chart.points.map((point) => point.series));
  const colour = (row: Row) => colourOf(kernels.indexOf(row.kernel));
  const scale = valueScale(rows.flatMap((row) => [row.value, look.extra(row)]).filter((value): value is number => value != null));
  place.append(legend([...kernels.map((label, index) => ({ label, colour: colourOf(index) })), ...look.legend(rows), ...ringEntry(rows)]));
  seriesCharts(place, titles, (index, width) => {
    const own = rows.filter((row) => row.series === titles[index]);
    return {
      height: Math.min(340, Math.max(230, width * 0.6)),
      marginLeft: 56,
      marginRight: 24,
      marginBottom: 42,
      x: { type: "log", base: 2 },
      y: scale,
      marks: [
        ...curveAxes(rows, scale, look.unit, width, "message size"),
        ...look.marks(own, colour),
        ...ringMarks(own, look.unit),
      ],
    };
  });
  noteSame(place, chart.same);
}

function drawFabricBandwidth(place: HTMLElement, chart: Chart<FabricPoint>): void {
  const ceilings = (rows: FabricRow[]) => rows.filter((row) => row.ceiling != null);
  draw(place, chart, {
    unit: "GB/s",
    extra: (row) => row.ceiling,
    marks: (rows, colour) => [
      Plot.line(ceilings(rows), { x: "bytes", y: "ceiling", z: "line", stroke: "var(--quiet)", strokeWidth: 1.25, strokeDasharray: "4,3" }),
      ...curveMarks(rows, colour, "GB/s"),
    ],
    legend: (rows) => (ceilings(rows).length > 0 ? [{ label: "ceiling of the link", colour: "var(--quiet)", dashed: true }] : []),
  });
}

function drawFabricLatency(place: HTMLElement, chart: Chart<FabricPoint>): void {
  draw(place, chart, {
    unit: "us",
    extra: (row) => row.p99,
    marks: (rows, colour) => {
      const known = rows.filter((row) => row.p99 != null);
      return [
        Plot.ruleX(known, { x: "bytes", y1: "value", y2: "p99", stroke: colour, strokeOpacity: 0.7 }),
        Plot.vector(known, { x: "bytes", y: "p99", length: 9, rotate: 90, anchor: "middle", shape: stroke, stroke: colour }),
        ...curveMarks(rows, colour, "us"),
      ];
    },
    legend: () => [],
  });
}

export const drawers = { rdma_bandwidth: drawFabricBandwidth, rdma_latency: drawFabricLatency };
