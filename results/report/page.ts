// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every chart shares: series colours from the page's style, a legend, small multiples.
import * as Plot from "@observablehq/plot";

const seriesColours = 8;

export function colourOf(index: number): string {
  return `var(--series-${(index % seriesColours) + 1})`;
}

export interface LegendEntry {
  label: string;
  colour: string;
  heavy?: boolean;
}

export function legend(entries: LegendEntry[]): HTMLElement {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const { label, colour, heavy } of entries) {
    const item = document.createElement("li");
    const height = heavy ? 5 : 3;
    item.innerHTML = `<svg width="20" height="10" aria-hidden="true"><rect width="20" height="${height}" y="${5 - height / 2}" fill="${colour}"/></svg>`;
    item.append(label);
    list.append(item);
  }
  return list;
}

export function note(text: string): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = "note";
  paragraph.textContent = text;
  return paragraph;
}

/** 1, 2, 5, 10, ... within the ends; powers of ten alone where that would be too many. */
export function logTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power)
    for (const factor of [1, 2, 5]) ticks.push(Number(`${factor}e${power}`));
  const within = ticks.filter((tick) => tick >= low && tick <= high);
  return within.length <= 8 ? within : within.filter((tick) => Number.isInteger(Math.round(1e6 * Math.log10(tick)) / 1e6));
}

/** One cell a title, each drawn at the width it really has. */
export function multiples(place: HTMLElement, titles: string[], draw: (index: number, width: number) => Plot.PlotOptions): void {
  const grid = document.createElement("div");
  if (titles.length > 1) grid.className = "plots";
  place.append(grid);
  // All cells first: a cell's width depends on how many share its row.
  const cells = titles.map((title) => {
    const cell = document.createElement("div");
    if (title) {
      const heading = document.createElement("h3");
      heading.textContent = title;
      cell.append(heading);
    }
    grid.append(cell);
    return cell;
  });
  cells.forEach((cell, index) => {
    const width = Math.max(240, cell.clientWidth);
    const style = { background: "transparent", fontFamily: "inherit", fontSize: "12px" };
    cell.append(Plot.plot({ width, style, ...draw(index, width) }));
  });
}
