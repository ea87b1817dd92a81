// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Power and SM clock against the time of the run, a color a GPU. A dot is one measurement, its stroke how long it took;
// a ring marks one that the GPU held back.
import * as Plot from "@observablehq/plot";

import { distinct, numberText, timeScale } from "../data";
import { colourOf, legend, multiples, noteShown } from "../page";

interface PowerPoint {
  gpu: string;
  case: string;
  point: string;
  from_s: number;
  to_s: number;
  power_w: number | null;
  clock_mhz: number | null;
  lowest_mhz: number | null; // as the driver reported it
  highest_mhz: number | null;
  held_back: string; // "sw_power_cap 35 %"
}

const shownGpus = 16;
const quantities = [
  { title: "Power, W", of: (point: PowerPoint) => point.power_w, fromZero: true },
  { title: "SM clock, MHz", of: (point: PowerPoint) => point.clock_mhz, fromZero: false },
];

function title(point: PowerPoint): string {
  const lines = [`${point.gpu}: ${point.case}`, point.point];
  if (point.power_w != null) lines.push(`${numberText(point.power_w)} W`);
  if (point.clock_mhz != null) lines.push(`${numberText(point.clock_mhz)} MHz`);
  if (point.lowest_mhz != null && point.highest_mhz != null) lines.push(`driver: ${numberText(point.lowest_mhz)} to ${numberText(point.highest_mhz)} MHz`);
  if (point.held_back) lines.push(`held back by ${point.held_back}`);
  return lines.join("\n");
}

function drawPower(place: HTMLElement, data: { points: PowerPoint[] }): void {
  const gpus = distinct(data.points.map((point) => point.gpu)).sort();
  const points = data.points.filter((point) => gpus.indexOf(point.gpu) < shownGpus);
  const end = Math.max(1, ...points.map((point) => point.to_s));
  const { unit, divisor } = timeScale(end);
  const colour = (point: PowerPoint) => colourOf(gpus.indexOf(point.gpu));
  const middle = (point: PowerPoint) => (point.from_s + point.to_s) / 2 / divisor;
  const drawn = quantities.filter(({ of }) => points.some((point) => of(point) != null));
  const held = points.filter((point) => point.held_back);
  place.append(
    legend([
      ...gpus.slice(0, shownGpus).map((label, index) => ({ label, colour: colourOf(index) })),
      ...(held.length > 0 ? [{ label: "held back", colour: "var(--warn)", ring: true }] : []),
    ]),
  );
  multiples(place, drawn.map((quantity) => quantity.title), (index) => {
    const { of, fromZero } = drawn[index];
    const own = points.filter((point) => of(point) != null);
    const value = (point: PowerPoint) => of(point) ?? NaN;
    const most = Math.max(...own.map(value));
    return {
      height: 240,
      marginLeft: 52,
      marginBottom: 40,
      x: { domain: [Math.min(0, ...points.map((point) => point.from_s)) / divisor, end / divisor], label: unit, labelOffset: 32, ticks: 6 },
      y: { grid: true, ticks: 5, label: null, ...(fromZero ? { domain: [0, most * 1.05] } : { nice: true, inset: 8 }) },
      marks: [
        Plot.ruleY(own, { y: value, x1: (point: PowerPoint) => point.from_s / divisor, x2: (point: PowerPoint) => point.to_s / divisor, stroke: colour, strokeWidth: 2 }),
        Plot.dot(own.filter((point) => point.held_back), { x: middle, y: value, r: 5, stroke: "var(--warn)", strokeWidth: 2 }),
        Plot.dot(own, { x: middle, y: value, r: 2.5, fill: colour, tip: true, title }),
      ],
    };
  });
  noteShown(place, shownGpus, gpus.length, "GPUs");
}

export const drawers = { power: drawPower };
