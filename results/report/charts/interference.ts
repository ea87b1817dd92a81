// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who slows down whom: a matrix of victims against aggressors, and slowdown over how much of the GPU or host the aggressor has.
import * as Plot from "@observablehq/plot";

import { lineMarks, valueScale } from "../curve";
import { Bounded, Chart, distinct, numberText } from "../data";
import { matrix } from "../matrix";
import { colourOf, legend, LegendEntry, logTicks, noteSame, seriesCharts } from "../page";

interface InterferencePoint extends Bounded {
  back_end: string;
  series: string;
  victim: string;
  aggressor: string;
  spinning: number | null; // slowdown by as many threads that only spin
  of?: string; // "32 blocks": how many the aggressor has
}

interface SlowdownPoint extends InterferencePoint {
  word: string; // "blocks", "threads"
  count: number;
  control: boolean; // the victim ran alone
  predicted: number | null; // slowdown
}

function withInterval(row: InterferencePoint): string {
  const interval = row.lower != null && row.upper != null ? ` [${numberText(row.lower)}, ${numberText(row.upper)}]` : "";
  return `${numberText(row.value ?? NaN)}x${interval}`;
}

function drawInterference(place: HTMLElement, chart: Chart<InterferencePoint>): void {
  const rows = chart.points.filter((point) => point.value != null);
  const titles = distinct(rows.map((row) => row.series));
  // One scale for all cells: no slowdown is blank, the worst is full.
  const worst = Math.max(1.01, ...rows.map((row) => row.value ?? 1));
  seriesCharts(place, titles, (index, width) =>
    matrix(
      rows.filter((row) => row.series === titles[index]),
      {
        row: (row) => row.victim,
        column: (row) => row.aggressor,
        text: (row) => `${(row.value ?? NaN).toFixed(2)}x`,
        title: (row) =>
          `${row.victim} with ${[row.aggressor, row.of].filter(Boolean).join(", ")}\n${withInterval(row)}\nwith spinning: ${numberText(row.spinning ?? NaN)}x`,
        strength: (row) => Math.max(0, (row.value ?? 1) - 1) / (worst - 1),
      },
      width,
    ),
  );
  noteSame(place, chart.same);
}

const spinningEntry: LegendEntry = { label: "as many that only spin", colour: "var(--quiet)", dotted: true };
const predictedEntry: LegendEntry = { label: "predicted", colour: "currentColor", dashed: true };
const controlEntry: LegendEntry = { label: "no load: a control", colour: "var(--quiet)", ring: true };

function anyKnown(values: (number | null)[]): boolean {
  return values.some((value) => value != null);
}

function slowdownScale(rows: SlowdownPoint[]): { type: "log" | "linear"; domain: number[] } {
  const values = rows.flatMap((row) => [row.value, row.lower, row.upper, row.spinning, row.predicted]);
  const known = values.filter((value): value is number => value != null && value > 0);
  const scale = valueScale(known);
  // A slowdown is a distance from one, not from nothing.
  return scale.type === "log" ? scale : { type: "linear", domain: [Math.min(0.95, ...known), Math.max(1.05, ...known) * 1.03] };
}

function slowdownMarks(own: SlowdownPoint[], colour: (row: SlowdownPoint) => string): Plot.Markish[] {
  const loaded = own.filter((row) => !row.control);
  const controls = own.filter((row) => row.control);
  const x = "count";
  const title = (row: SlowdownPoint) =>
    [
      row.control ? `${row.victim}, no load` : `${row.victim} with ${row.aggressor}, ${row.count} ${row.word}`,
      withInterval(row),
      row.spinning == null ? "" : `with spinning: ${numberText(row.spinning)}x`,
      row.predicted == null ? "" : `predicted: ${numberText(row.predicted)}x`,
    ].filter(Boolean).join("\n");
  return [
    Plot.ruleY([1], { stroke: "var(--quiet)", strokeOpacity: 0.6 }),
    Plot.line(loaded.filter((row) => row.spinning != null), { x, y: "spinning", z: "aggressor", stroke: "var(--quiet)", strokeDasharray: "1.5,3", strokeWidth: 1.5 }),
    Plot.line(loaded.filter((row) => row.predicted != null), { x, y: "predicted", z: "aggressor", stroke: "currentColor", strokeDasharray: "4,3", strokeWidth: 1.5 }),
    Plot.ruleX(controls, { x, y1: "lower", y2: "upper", stroke: "var(--quiet)", filter: (row) => row.lower != null }),
    Plot.dot(controls, { x, y: "value", r: 3.5, stroke: "var(--quiet)", strokeWidth: 1.5, tip: true, title }),
    ...lineMarks(loaded, { x, z: "aggressor", stroke: colour, title }),
  ];
}

function drawSlowdown(place: HTMLElement, chart: Chart<SlowdownPoint>): void {
  const rows = chart.points.filter((point) => point.value != null).sort((a, b) => a.count - b.count);
  const aggressors = distinct(chart.points.filter((row) => !row.control).map((row) => row.aggressor));
  const titleOf = (row: SlowdownPoint) => `victim ${row.victim}, ${row.series}`;
  const titles = distinct(chart.points.filter((row) => !row.control).map(titleOf));
  const colour = (row: SlowdownPoint) => colourOf(aggressors.indexOf(row.aggressor));
  const scale = slowdownScale(rows);
  place.append(
    legend([
      ...aggressors.map((label, index) => ({ label: `with ${label}`, colour: colourOf(index) })),
      ...(anyKnown(rows.map((row) => row.spinning)) ? [spinningEntry] : []),
      ...(anyKnown(rows.map((row) => row.predicted)) ? [predictedEntry] : []),
      ...(rows.some((row) => row.control) ? [controlEntry] : []),
    ]),
  );
  seriesCharts(place, titles, (index, width) => {
    const own = rows.filter((row) => titleOf(row) === titles[index]);
    const ticks = scale.type === "log" ? logTicks(scale.domain[0], scale.domain[1]) : undefined;
    const most = Math.max(...own.map((row) => row.count));
    return {
      height: Math.min(320, Math.max(220, width * 0.5)),
      marginLeft: 48,
      marginBottom: 42,
      x: { domain: [0, most], label: own[0].word, labelOffset: 34, ticks: Math.min(most, 8), tickFormat: "d", inset: 6 },
      y: { ...scale, label: "times its time alone", grid: true, ticks: ticks ?? 5, tickFormat: numberText },
      marks: slowdownMarks(own, colour),
    };
  });
  noteSame(place, chart.same);
}

export const drawers = { interference: drawInterference, slowdown: drawSlowdown };
