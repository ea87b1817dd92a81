// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Useful share of a job's time over the interval between checkpoints, a line a kind of checkpoints, and the probability
// of a spare node over their number.
import * as Plot from "@observablehq/plot";

import { lineMarks, spacedTicks } from "../curve";
import { Bounded, numberText } from "../data";
import { colourOf, legend, multiples } from "../page";

interface SharePoint extends Bounded {
  interval_s: number;
}

interface Checkpoints {
  kind: string;
  best_interval_s: number;
  points: SharePoint[];
}

interface SparePoint {
  nodes: number;
  probability: number; // percent
}

const roundTimes = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18000, 36000, 86400, 172800, 432000];

function secondsText(seconds: number): string {
  if (seconds < 60) return `${numberText(seconds)} s`;
  return seconds < 3600 ? `${numberText(seconds / 60)} min` : `${numberText(seconds / 3600)} h`;
}

function sharePlot(checkpoints: Checkpoints[], width: number): Plot.PlotOptions {
  const rows = checkpoints.flatMap(({ kind, best_interval_s, points }) => points.map((point) => ({ ...point, kind, best: point.interval_s === best_interval_s })));
  const kinds = checkpoints.map(({ kind }) => kind);
  const stroke = (row: { kind: string }) => colourOf(kinds.indexOf(row.kind));
  const title = (row: (typeof rows)[number]) => `${row.kind}, every ${secondsText(row.interval_s)}\n${numberText(row.value ?? NaN)} % useful`;
  const intervals = rows.map((row) => row.interval_s);
  const ticks = roundTimes.filter((time) => time >= Math.min(...intervals) && time <= Math.max(...intervals));
  const lowest = Math.min(...rows.map((row) => Math.min(row.value ?? 100, row.lower ?? 100)));
  return {
    height: 260,
    marginLeft: 48,
    marginRight: 28,
    marginBottom: 42,
    x: { type: "log" },
    y: { domain: [Math.floor(lowest / 10) * 10, 100], label: "useful, %", grid: true, ticks: 5 },
    marks: [
      // As marks, for d3 leaves out labels of a logarithmic scale as it sees fit.
      Plot.axisX(spacedTicks(ticks, width - 76), { text: secondsText, label: "interval between checkpoints", labelOffset: 34 }),
      ...lineMarks(rows, { x: "interval_s", z: "kind", stroke, title }),
      Plot.dot(rows.filter((row) => row.best), { x: "interval_s", y: "value", r: 6, stroke, strokeWidth: 2 }),
    ],
  };
}

function sparePlot(spares: SparePoint[]): Plot.PlotOptions {
  const title = (point: SparePoint) => `${point.nodes} spare nodes\n${numberText(point.probability)} %`;
  return {
    height: 260,
    marginLeft: 48,
    marginRight: 28,
    marginBottom: 42,
    x: { label: "spare nodes", labelOffset: 34, ticks: 6, tickFormat: "d" },
    y: { domain: [0, 100], label: "restarts at once, %", grid: true, ticks: 5 },
    marks: [
      Plot.line(spares, { x: "nodes", y: "probability", stroke: colourOf(0), strokeWidth: 1.75 }),
      Plot.dot(spares, { x: "nodes", y: "probability", fill: colourOf(0), r: 2.5, tip: true, title }),
    ],
  };
}

function drawReliability(place: HTMLElement, data: { checkpoints: Checkpoints[]; spares: SparePoint[] }): void {
  place.append(legend(data.checkpoints.map(({ kind }, index) => ({ label: `${kind} checkpoints`, colour: colourOf(index) }))));
  const titles = ["Useful share of the time", ...(data.spares.length > 0 ? ["Spare nodes"] : [])];
  multiples(place, titles, (index, width) => (index === 0 ? sharePlot(data.checkpoints, width) : sparePlot(data.spares)));
}

export const drawers = { reliability: drawReliability };
