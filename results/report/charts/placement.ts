// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated placements: what leaves the groups of each tier, before and after.
import { Bounded, numberText } from "../data";
import { matrix } from "../matrix";
import { noteBasis, noteSame, seriesCharts } from "../page";

interface Leaving extends Bounded {
  row: string; // "leave their leaf"
  column: string; // "as it is: 24 ms"
}

interface Placements {
  matrices: { title: string; cells: Leaving[] }[];
  same: string;
  notes: string[];
}

function drawPlacement(place: HTMLElement, { matrices, same, notes }: Placements): void {
  const titles = matrices.map(({ title }) => title);
  seriesCharts(place, titles, (index, width) => {
    const { cells } = matrices[index];
    const most = Math.max(...cells.map((cell) => cell.value ?? 0));
    const text = (cell: Leaving) => `${numberText(Number((cell.value ?? NaN).toPrecision(3)))} GB`;
    return matrix(
      cells,
      {
        row: (cell) => cell.row,
        column: (cell) => cell.column,
        text,
        title: (cell) => `${cell.column}\n${text(cell)} ${cell.row}`,
        strength: (cell) => (most > 0 ? (cell.value ?? 0) / most : 0),
      },
      width,
    );
  });
  noteBasis(place, notes);
  noteSame(place, same);
}

export const drawers = { simulated_placement: drawPlacement };
