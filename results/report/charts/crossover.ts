// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of one operation over size, a line a contender, with the winner of each size along the axis; and what the
// library's choice costs. Options only: the report draws them in a page, scripts/draw-crossover in a file.
import * as Plot from "@observablehq/plot";

import { bytesAxis, curveMarks, logAxes, Row } from "../curve";
import { Bounded, Chart, distinct, FootprintPoint, numberText } from "../data";
import { colourOf, legend, LegendEntry, noteSame, seriesCharts } from "../page";

interface Win {
  series: string;
  kernel: string;
  bytes: number;
  decided: boolean; // the runner-up's interval lies above the winner's
}

interface Reign {
  series: string;
  kernel: string;
  first: number; // bytes
  last: number;
}

interface Regret extends Bounded {
  series: string;
  kernel: string; // the library
  bytes: number;
}

export interface CrossoverData extends Chart<FootprintPoint> {
  wins: Win[];
  reigns: Reign[];
  regrets: Regret[];
}

const across = "size of a rank's larger buffer";
const margins = { marginLeft: 56, marginRight: 24, marginBottom: 42 };

/** Every contender of all charts, so that it has one colour in all of them. */
export function contenders(data: CrossoverData): string[] {
  return distinct(data.points.map((point) => point.kernel));
}

function colours(data: CrossoverData): (item: { kernel: string }) => string {
  const names = contenders(data);
  return (item) => colourOf(names.indexOf(item.kernel));
}

export function crossoverLegend(data: CrossoverData): LegendEntry[] {
  const entries: LegendEntry[] = contenders(data).map((label, index) => ({ label, colour: colourOf(index) }));
  if (data.wins.some((win) => !win.decided)) entries.push({ label: "wins, but the intervals meet", colour: "var(--quiet)", ring: true });
  return entries;
}

function ends(points: { bytes: number }[]): number[] {
  const sizes = points.map((point) => point.bytes);
  return [Math.min(...sizes) / 1.2, Math.max(...sizes) * 1.2];
}

export function timePlot(data: CrossoverData, series: string, width: number): Plot.PlotOptions {
  const own = <Item extends { series: string }>(items: Item[]) => items.filter((item) => item.series === series);
  const rows: Row[] = own(data.points)
    .filter((point) => point.value != null)
    .map((point) => ({ ...point, line: point.kernel }))
    .sort((a, b) => a.bytes - b.bytes);
  const times = rows.flatMap((row) => [row.value, row.lower, row.upper]).filter((time): time is number => time != null);
  const low = Math.min(...times) / 2;
  const strip = low * 1.3;
  const domain = [low, Math.max(...times) * 1.2];
  const colour = colours(data);
  return {
    ...margins,
    width,
    height: Math.min(400, Math.max(260, width * 0.6)),
    x: { type: "log", base: 2, domain: ends(rows) },
    y: { type: "log", domain },
    marks: [
      ...logAxes(rows, domain, "us, logarithmic", width, across),
      ...curveMarks(rows, colour, "us"),
      Plot.ruleY(own(data.reigns), { y: strip, x1: "first", x2: "last", stroke: colour, strokeWidth: 6 }),
      Plot.dot(own(data.wins), {
        x: "bytes", y: strip, r: 4.5, strokeWidth: 2, stroke: colour, fill: (win) => (win.decided ? colour(win) : "var(--page)"),
      }),
    ],
  };
}

/** Null where the library did not run. */
export function regretPlot(data: CrossoverData, series: string, width: number): Plot.PlotOptions | null {
  const rows: Row[] = data.regrets
    .filter((regret) => regret.series === series && regret.value != null)
    .map((regret) => ({ ...regret, back_end: regret.kernel, line: `regret of ${regret.kernel}` }))
    .sort((a, b) => a.bytes - b.bytes);
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map((row) => row.upper ?? row.value ?? 1), 1.05);
  const domain = [Math.min(1, ...rows.map((row) => row.lower ?? 1)), most * 1.03];
  const colour = colours(data);
  const points: FootprintPoint[] = data.points.filter((point) => point.series === series);
  return {
    ...margins,
    width,
    height: 150,
    x: { type: "log", base: 2, domain: ends(points) },
    y: { domain },
    marks: [
      Plot.gridY({ ticks: 3 }),
      Plot.axisY({ ticks: 3, label: `regret of ${distinct(rows.map((row) => row.kernel)).join(", ")}, x`, tickFormat: numberText }),
      ...bytesAxis(points, width, across),
      Plot.ruleY([1], { stroke: "var(--quiet)" }),
      ...curveMarks(rows, colour, "times the best one's time"),
    ],
  };
}

function drawCrossover(place: HTMLElement, data: CrossoverData): void {
  if (contenders(data).length === 0) return;
  const titles = distinct(data.points.map((point) => point.series));
  place.append(legend(crossoverLegend(data)));
  seriesCharts(place, titles, (index, width) => {
    const regret = regretPlot(data, titles[index], width);
    return regret ? [timePlot(data, titles[index], width), regret] : [timePlot(data, titles[index], width)];
  });
  noteSame(place, data.same);
}

export const drawers = { crossover: drawCrossover };
