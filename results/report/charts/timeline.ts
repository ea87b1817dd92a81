// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A burn-in over its time: what ran, what the checks said, and how warm, fast and hungry the units were.
import * as Plot from "@observablehq/plot";

import { distinct, numberText, timeScale } from "../data";
import { colourOf, legend, multiples, note } from "../page";

interface TimelineSpan {
  lane: string; // rounds, or a module
  label: string;
  how: string; // ended, cut, no_answer
  text: string; // the same with its reason
  from_s: number;
  to_s: number;
}

interface TimelineMark {
  lane: string; // checks, findings
  label: string;
  status: string;
  at_s: number;
  text: string;
}

interface TimelineCurve {
  kind: string;
  unit: string;
  points: [number, number][]; // seconds, value
}

interface TimelineData {
  spans: TimelineSpan[];
  marks: TimelineMark[];
  curves: TimelineCurve[];
}

const shownUnits = 16;
const titles: Record<string, string> = { temperature_c: "Temperature, \u00b0C", power_w: "Power, W", sm_clock_mhz: "SM clock, MHz" };

const bad = new Set(["FAIL", "failed"]);
const unclear = new Set(["INCONCLUSIVE", "NOT_RUN", "DEGRADED", "unknown", "noticed"]);

function markColour({ status }: TimelineMark): string {
  return bad.has(status) ? "var(--bad)" : unclear.has(status) ? "var(--warn)" : "var(--good)";
}

function spanColour({ lane, how }: TimelineSpan, lanes: string[]): string {
  return how === "ended" ? colourOf(lanes.indexOf(lane)) : how === "cut" ? "var(--warn)" : "var(--bad)";
}

function drawTimeline(place: HTMLElement, data: TimelineData): void {
  const ends = [...data.spans.map((span) => span.to_s), ...data.marks.map((mark) => mark.at_s), ...data.curves.flatMap((curve) => curve.points.map((point) => point[0]))];
  const end = Math.max(1, ...ends);
  const { unit, divisor } = timeScale(end);
  const x = { domain: [0, end / divisor], label: unit };
  const lanes = [...distinct(data.spans.map((span) => span.lane)), ...distinct(data.marks.map((mark) => mark.lane))];
  const longest = Math.max(...lanes.map((lane) => lane.length), 6);
  const marginLeft = 18 + 7 * longest;
  const least = end / divisor / 400; // so that the shortest span is seen
  const kinds = distinct(data.curves.map((curve) => curve.kind));
  multiples(place, [""], (_, width) => ({
    height: 54 + 26 * lanes.length,
    marginLeft,
    marginBottom: 36,
    x: { ...x, grid: true },
    y: { type: "band", domain: lanes, label: null, tickSize: 0 },
    marks: [
      Plot.barX(data.spans, {
        x1: (span) => span.from_s / divisor,
        x2: (span) => Math.max(span.to_s / divisor, span.from_s / divisor + least),
        y: "lane",
        fill: (span) => spanColour(span, lanes),
        fillOpacity: 0.7,
        insetTop: 3,
        insetBottom: 3,
        insetRight: width > 600 ? 1 : 0,
        tip: true,
        title: (span) => `${span.label}: ${span.text}\n${numberText((span.to_s - span.from_s) / divisor)} ${unit}`,
      }),
      Plot.dot(data.marks, {
        x: (mark) => mark.at_s / divisor,
        y: "lane",
        r: (mark) => (mark.lane === "findings" ? 5 : 3),
        symbol: (mark: TimelineMark) => (mark.lane === "findings" ? "diamond" : "circle"),
        fill: markColour,
        tip: true,
        title: (mark) => [`${mark.status}: ${mark.label}`, mark.text].filter(Boolean).join("\n"),
      }),
    ],
  }));
  drawCurves(place, data.curves, kinds, divisor, { ...x, ticks: 5 });
}

function drawCurves(place: HTMLElement, curves: TimelineCurve[], kinds: string[], divisor: number, x: object): void {
  const units = distinct(curves.map((curve) => curve.unit));
  if (units.length === 0) return;
  place.append(legend(units.slice(0, shownUnits).map((label, index) => ({ label, colour: colourOf(index) }))));
  multiples(place, kinds.map((kind) => titles[kind] ?? kind), (index) => {
    const rows = curves
      .filter((curve) => curve.kind === kinds[index] && units.indexOf(curve.unit) < shownUnits)
      .flatMap((curve) => curve.points.map(([at, value]) => ({ at: at / divisor, value, unit: curve.unit })));
    return {
      height: 180,
      marginLeft: 48,
      marginBottom: 36,
      x,
      y: { grid: true, ticks: 4, label: null, nice: true },
      marks: [
        Plot.line(rows, {
          x: "at",
          y: "value",
          z: "unit",
          stroke: (row) => colourOf(units.indexOf(row.unit)),
          strokeWidth: 1.5,
          tip: true,
          title: (row) => `${row.unit}: ${numberText(row.value)}`,
        }),
      ],
    };
  });
  if (units.length > shownUnits) place.append(note(`The first ${shownUnits} of ${units.length} units.`));
}

export const drawers = { timeline: drawTimeline };
