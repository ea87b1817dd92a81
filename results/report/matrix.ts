// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every matrix of words against words shares: rows, columns whose names keep clear of one another, cells with a value.
import * as Plot from "@observablehq/plot";

import { distinct } from "./data";

const pixelsALetter = 7; // at 12 px
const leastCell = 46;

export interface Look<Cell> {
  row: (cell: Cell) => string;
  column: (cell: Cell) => string;
  text: (cell: Cell) => string;
  title: (cell: Cell) => string;
  strength: (cell: Cell) => number; // 0 to 1
  order?: (a: string, b: string) => number; // of rows, and of columns; without it as they come
}

function longest(names: string[]): number {
  return Math.max(0, ...names.map((name) => name.length)) * pixelsALetter;
}

/** Column names are slanted where they would touch. */
export function matrix<Cell>(cells: Cell[], look: Look<Cell>, width: number): Plot.PlotOptions {
  const inOrder = (names: string[]) => (look.order ? names.sort(look.order) : names);
  const rows = inOrder(distinct(cells.map(look.row)));
  const columns = inOrder(distinct(cells.map(look.column)));
  const marginLeft = 14 + longest(rows);
  const side = Math.min(width, marginLeft + 20 + columns.length * Math.max(84, longest(columns) + 12), 760);
  const space = (side - marginLeft - 20) / columns.length;
  const slanted = longest(columns) + 6 > space;
  const marginTop = slanted ? 20 + 0.6 * longest(columns) : 34;
  const at = { x: look.column, y: look.row };
  return {
    width: Math.max(side, Math.min(width, marginLeft + 20 + leastCell * columns.length)),
    height: marginTop + 8 + 40 * rows.length,
    marginLeft,
    marginTop,
    // The last name leans over the right end.
    marginRight: slanted ? Math.min(60, 20 + 0.3 * longest(columns)) : 20,
    marginBottom: 8,
    x: { type: "band", domain: columns, axis: "top", label: null, tickSize: 0, padding: 0.04, tickRotate: slanted ? -40 : 0 },
    y: { type: "band", domain: rows, label: null, tickSize: 0, padding: 0.04 },
    marks: [
      Plot.cell(cells, { ...at, fill: "var(--series-1)", fillOpacity: (cell: Cell) => 0.08 + 0.72 * look.strength(cell), inset: 0.5 }),
      Plot.text(cells, { ...at, text: look.text, fill: "currentColor", tip: true, title: look.title }),
    ],
  };
}
