// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every pair of hosts as a map: the row sends, the column receives. What is below the median by
// more than 2 % is red, the more the farther;
// a frame marks suspects. A click keeps a cell's values on the page.
import * as Plot from "@observablehq/plot";

import { numberText } from "../data";
import { multiples, noteShown } from "../page";

interface Flow {
  from: number; // ranks
  to: number;
  value: number | null; // GB/s among the others
  alone: number | null; // GB/s, run again by itself
  of_median: number | null; // percent
  suspect: boolean;
}

interface FlowMap {
  series: string;
  median: number | null; // GB/s
  link_class: string;
  ranks: { rank: number; name: string }[];
  flows: Flow[];
}

const shown = 6;
const namedUpTo = 16; // ranks: more have no space for a value in each cell
const noLoss = 2; // percent below the median that is not drawn as slow
const fullLoss = 30; // percent below the median that is drawn as strong as any

function loss(flow: Flow): number {
  return Math.max(0, 100 - (flow.of_median ?? 100));
}

function title(flow: Flow, nameOf: (rank: number) => string): string {
  const lines = [`${nameOf(flow.from)} to ${nameOf(flow.to)}`];
  lines.push(flow.value == null ? "among the others: unknown" : `${numberText(flow.value)} GB/s, ${numberText(flow.of_median ?? NaN)} % of the median`);
  if (flow.alone != null) lines.push(`alone: ${numberText(flow.alone)} GB/s`);
  if (flow.suspect) lines.push("suspect");
  return lines.join("\n");
}

/** The names of two ranks of one host need their number. */
function names(map: FlowMap): Map<number, string> {
  const times = new Map<string, number>();
  for (const { name } of map.ranks) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(map.ranks.map(({ rank, name }) => [rank, times.get(name) === 1 ? name : `${name} (${rank})`]));
}

function drawPairs(place: HTMLElement, maps: FlowMap[]): void {
  const titles = maps.slice(0, shown).map((map) => `${map.series}: median ${numberText(map.median ?? NaN)} GB/s`);
  multiples(place, titles, (index, width) => {
    const map = maps[index];
    const named = names(map);
    const nameOf = (rank: number) => named.get(rank) ?? String(rank);
    const order = map.ranks.map(({ rank }) => rank);
    const longest = Math.max(...[...named.values()].map((name) => name.length));
    const side = Math.min(width, 120 + 76 * order.length, 760);
    const cell = { x: "to", y: "from" };
    const axis = { domain: order, label: null, tickSize: 0, tickFormat: nameOf, padding: 0.05 };
    const slow = (flow: Flow) => loss(flow) > noLoss;
    return {
      width: side,
      height: Math.min(side, 70 + 44 * order.length),
      marginLeft: Math.min(140, 16 + 7 * longest),
      marginTop: 40,
      x: { ...axis, type: "band", axis: "top", tickRotate: order.length > 8 ? -45 : 0 },
      y: { ...axis, type: "band" },
      marks: [
        Plot.cell(map.flows, {
          ...cell,
          fill: (flow: Flow) => (slow(flow) ? "var(--bad)" : "var(--series-1)"),
          fillOpacity: (flow: Flow) => (flow.value == null ? 0.03 : slow(flow) ? 0.06 + 0.6 * Math.min(1, loss(flow) / fullLoss) : 0.12),
        }),
        Plot.cell(map.flows, { ...cell, filter: (flow: Flow) => flow.suspect, fill: "none", stroke: "var(--bad)", strokeWidth: 2.5, inset: 1 }),
        Plot.text(map.flows, {
          ...cell,
          text: (flow: Flow) => (order.length > namedUpTo ? "" : flow.value == null ? "?" : numberText(Number(flow.value.toPrecision(3)))),
          fill: "currentColor",
          tip: true,
          title: (flow: Flow) => title(flow, nameOf),
        }),
      ],
    };
  });
  noteShown(place, shown, maps.length, "maps");
}

export const drawers = { rdma_pairs: drawPairs };
