// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated uplinks as heat maps, a row for each leaf. One scale for all policies: below the mean one hue, above it another,
// which differ in lightness too.
import * as Plot from "@observablehq/plot";

import { distinct, numberText } from "../data";
import { multiples, note, noteBasis, noteSame, noteShown } from "../page";

interface Uplink {
  row: number; // leaf
  column: number; // uplink
  value: number | null; // over the mean
}

interface UplinkMap {
  title: string;
  most: number;
  seed: number;
  remark: string;
  cells: Uplink[];
}

interface UplinkMaps {
  matrices: UplinkMap[];
  same: string;
  notes: string[];
}

const shown = 12;
const cellHeight = 16;
const steps = 24; // of the legend

/** Over the mean: 1 is blank, nothing is full below, the most of all maps is full above. */
function look(most: number): { fill: (value: number) => string; opacity: (value: number) => number } {
  return {
    fill: (value) => (value > 1 ? "var(--series-2)" : "var(--series-1)"),
    opacity: (value) => (value > 1 ? 0.9 * ((value - 1) / Math.max(most - 1, 0.01)) : 0.45 * (1 - value)),
  };
}

function scaleLegend(place: HTMLElement, most: number): void {
  const { fill, opacity } = look(most);
  const width = most / steps;
  const fields = Array.from({ length: steps }, (_, index) => ({ from: index * width, to: (index + 1) * width, middle: (index + 0.5) * width }));
  multiples(place, [""], () => ({
    width: Math.min(420, Math.max(240, place.clientWidth)),
    height: 62,
    marginTop: 4,
    marginBottom: 40,
    marginLeft: 16,
    marginRight: 24,
    x: { domain: [0, most], label: "bytes over the mean of all uplinks, simulated", labelAnchor: "left", labelArrow: "none", labelOffset: 34, ticks: 6 },
    marks: [
      Plot.rect(fields, { x1: "from", x2: "to", y1: 0, y2: 1, fill: (field) => fill(field.middle), fillOpacity: (field) => opacity(field.middle) }),
      Plot.ruleX([1], { stroke: "currentColor" }),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    y: { axis: null, domain: [0, 1] },
  }));
}

/** Every so many, so that names keep clear of one another. */
function thinned(numbers: number[], most: number): number[] {
  const step = Math.ceil(numbers.length / most);
  return numbers.filter((_, index) => index % step === 0);
}

function drawUplinks(place: HTMLElement, { matrices, same, notes }: UplinkMaps): void {
  const drawn = matrices.slice(0, shown);
  const most = Math.max(1.01, ...matrices.map((map) => map.most));
  const { fill, opacity } = look(most);
  scaleLegend(place, most);
  const titles = drawn.map((map) => `${map.title ? `${map.title}: ` : ""}at most ${numberText(map.most)} times the mean, seed ${map.seed}`);
  multiples(place, titles, (index, width) => {
    const { cells } = drawn[index];
    const leaves = distinct(cells.map((cell) => cell.row));
    const uplinks = Array.from({ length: Math.max(...cells.map((cell) => cell.column)) + 1 }, (_, column) => column);
    const known = new Set(cells.map((cell) => `${cell.row} ${cell.column}`));
    const failed = leaves.flatMap((row) => uplinks.filter((column) => !known.has(`${row} ${column}`)).map((column) => ({ row, column })));
    const at = { x: "column", y: "row" };
    return {
      height: 64 + cellHeight * leaves.length,
      marginLeft: 48,
      marginTop: 18,
      marginBottom: 42,
      x: { type: "band", domain: uplinks, ticks: thinned(uplinks, (width - 72) / 28), tickSize: 0, label: "uplink of the leaf", labelOffset: 34, padding: 0.04 },
      y: { type: "band", domain: leaves, ticks: thinned(leaves, 24), tickSize: 0, label: "leaf", padding: 0.04 },
      marks: [
        Plot.cell(cells, {
          ...at,
          fill: (cell: Uplink) => fill(cell.value ?? 1),
          fillOpacity: (cell: Uplink) => opacity(cell.value ?? 1),
          stroke: "var(--line)",
          strokeWidth: 0.5,
          tip: true,
          title: (cell: Uplink) => `leaf ${cell.row}, uplink ${cell.column}\n${numberText(cell.value ?? NaN)} times the mean`,
        }),
        Plot.text(failed, { ...at, text: () => "x", fill: "var(--quiet)" }),
      ],
    };
  });
  noteShown(place, shown, matrices.length, "maps");
  for (const remark of distinct(drawn.map((map) => map.remark)).filter(Boolean)) place.append(note(`${remark}.`));
  noteBasis(place, notes);
  noteSame(place, same);
}

export const drawers = { simulated_uplinks: drawUplinks };
