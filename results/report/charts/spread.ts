// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How every point of a fleet spreads over its units, and where the worst units are.
import * as Plot from "@observablehq/plot";

import { distinct, numberText } from "../data";
import { multiples, note } from "../page";

interface Spread {
  level: string; // gpu, host
  metric: string;
  units: number;
  sd: number | null; // robust, percent
  percent: (number | null)[]; // worst, 1, 25, 50, 75, 99 %, best
}

interface SpreadData {
  spreads: Spread[];
  worst: { unit: string; metric: string; percent: number | null }[];
}

const shown = 60; // points of a level
const rowHeight = 15;

const percents = [-90, -50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 50];

/// A tick that is named is drawn, be it outside the frame: only those within what is shown.
function ticksWithin(rows: Spread[], dots: SpreadData["worst"]): number[] {
  const shownPercents = [...rows.flatMap((row) => row.percent), ...dots.map((dot) => dot.percent)].map((value) => value ?? 0);
  const [least, most] = [Math.min(0, ...shownPercents), Math.max(0, ...shownPercents)];
  return percents.filter((tick) => tick >= least && tick <= most);
}

const at = (spread: Spread, index: number): number => spread.percent[index] ?? 0;

function title(spread: Spread): string {
  const [worst, low, , , , high, best] = spread.percent.map((value) => numberText(value ?? NaN));
  return `${spread.metric}\n${spread.units} ${spread.level}s, robust sd ${numberText(spread.sd ?? NaN)} %\nworst ${worst} %, 1 % ${low} %, 99 % ${high} %, best ${best} %`;
}

function drawSpread(place: HTMLElement, data: SpreadData): void {
  const levels = distinct(data.spreads.map((spread) => spread.level));
  const titles = levels.map((level) => (levels.length > 1 ? `points of a ${level}` : ""));
  const wholes = levels.map((level) => data.spreads.filter((spread) => spread.level === level && spread.units > 0));
  // Those with the farthest unit where there are too many; in the order measured.
  const chosen = wholes.map((whole) => {
    const far = [...whole].sort((a, b) => at(a, 0) - at(b, 0)).slice(0, shown);
    return whole.filter((spread) => far.includes(spread));
  });
  multiples(place, titles, (index, width) => {
    const rows = chosen[index];
    const metrics = rows.map((spread) => spread.metric);
    const dots = data.worst.filter((dot) => metrics.includes(dot.metric));
    const longest = Math.max(10, ...metrics.map((metric) => metric.length));
    const marginLeft = Math.min(width * 0.4, 14 + 6.2 * longest);
    const fits = Math.floor((marginLeft - 14) / 6.2);
    return {
      height: 70 + rowHeight * rows.length,
      marginLeft,
      marginTop: 34,
      marginRight: 16,
      x: { type: "symlog", constant: 2, axis: "top", label: "% off the median of equals; slower to the left", grid: true, ticks: ticksWithin(rows, dots) },
      y: { type: "band", domain: metrics, label: null, tickSize: 0, tickFormat: (name: string) => (name.length > fits ? `${name.slice(0, Math.max(1, fits - 1))}\u2026` : name) },
      marks: [
        Plot.ruleX([0], { stroke: "var(--quiet)" }),
        Plot.ruleY(rows, { y: "metric", x1: (row) => at(row, 0), x2: (row) => at(row, 6), stroke: "var(--series-1)", strokeOpacity: 0.5 }),
        Plot.ruleY(rows, { y: "metric", x1: (row) => at(row, 1), x2: (row) => at(row, 5), stroke: "var(--series-1)", strokeWidth: 3, strokeOpacity: 0.6 }),
        Plot.barX(rows, { y: "metric", x1: (row) => at(row, 2), x2: (row) => at(row, 4), fill: "var(--series-1)", insetTop: 2.5, insetBottom: 2.5 }),
        Plot.dot(dots, { x: "percent", y: "metric", r: 3, stroke: "var(--bad)", strokeWidth: 1.5 }),
        Plot.tip(rows, Plot.pointerY({ y: "metric", x: (row: Spread) => at(row, 3), title })),
        Plot.tip(dots, Plot.pointer({ x: "percent", y: "metric", maxRadius: 8, title: (dot) => `${dot.unit}\n${dot.metric}: ${numberText(dot.percent ?? NaN)} %` })),
      ],
    };
  });
  const [drawn, all] = [chosen.flat().length, wholes.flat().length];
  if (drawn < all) place.append(note(`The ${drawn} points with the farthest units of ${all}; the table has all.`));
}

export const drawers = { spread: drawSpread };
