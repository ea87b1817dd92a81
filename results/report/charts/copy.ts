// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies: bandwidth over size, and between two kinds of place: GPU and NUMA node, or one GPU and another.
import { Bounded, Chart, distinct, FootprintPoint, numberText } from "../data";
import { matrix } from "../matrix";
import { multiples, note, noteSame, noteShown } from "../page";
import { drawBandwidth } from "./footprint";

interface MatrixCell extends Bounded {
  row: string;
  column: string;
  remark: string;
}

interface Matrices {
  matrices: { title: string; cells: MatrixCell[] }[];
  same: string; // axes that do not vary
}

const shown = 6;
const digits = 3;
const strongest = 0.7; // the fastest; half of it, or less, is blank

function title(cell: MatrixCell): string {
  const lines = [`${cell.row}, ${cell.column}`, `${numberText(cell.value ?? NaN)} GB/s`];
  if (cell.lower != null && cell.upper != null) lines[1] += ` [${numberText(cell.lower)}, ${numberText(cell.upper)}]`;
  if (cell.remark) lines.push(cell.remark);
  return lines.join("\n");
}

function drawMatrices(place: HTMLElement, { matrices, same }: Matrices): void {
  const drawn = matrices.slice(0, shown);
  multiples(place, drawn.map((one) => one.title), (index, width) => {
    const cells = drawn[index].cells.filter((cell) => cell.value != null);
    const best = Math.max(...cells.map((cell) => cell.value ?? 0));
    return matrix(
      cells,
      {
        row: (cell) => cell.row,
        column: (cell) => cell.column,
        text: (cell) => numberText(Number((cell.value ?? NaN).toPrecision(digits))),
        title,
        order: (a, b) => a.localeCompare(b, "en", { numeric: true }),
        strength: (cell) => strongest * Math.max(0, (2 * (cell.value ?? 0)) / best - 1),
      },
      width,
    );
  });
  const remarks = distinct(drawn.flatMap((one) => one.cells.map((cell) => cell.remark))).filter(Boolean);
  noteShown(place, shown, matrices.length, "matrices");
  if (remarks.length === 1) place.append(note(`Every copy: ${remarks[0]}.`));
  noteSame(place, same);
}

export const drawers = {
  copies: (place: HTMLElement, chart: Chart<FootprintPoint>) => drawBandwidth(place, chart, "copied each way"),
  copy_matrices: drawMatrices,
  peer_matrices: drawMatrices,
};
