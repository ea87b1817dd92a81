// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every chart shares: series colours from the page's style, a legend, small multiples.
import * as Plot from "@observablehq/plot";

const seriesColours = 12;
const goldenAngle = 137.508; // degrees: however many hues, the next one is far from each

/** No two series of a chart have the same: beyond the palette of the page's style, hues that read on light and dark. */
export function colourOf(index: number): string {
  if (index < seriesColours) return `var(--series-${index + 1})`;
  return `hsl(${Math.round(index * goldenAngle) % 360} 55% 50%)`;
}

export interface LegendEntry {
  label: string;
  colour: string;
  heavy?: boolean;
  dashed?: boolean;
  dotted?: boolean;
  ring?: boolean;
}

export function sign({ colour, heavy, dashed, dotted, ring }: LegendEntry): string {
  if (ring) return `<circle cx="10" cy="6" r="4.5" fill="none" stroke="${colour}" stroke-width="2"/>`;
  const dashes = dashed ? ' stroke-dasharray="4,3"' : dotted ? ' stroke-dasharray="1.5,3"' : "";
  return `<line x2="20" y1="6" y2="6" stroke="${colour}" stroke-width="${heavy ? 5 : dashed || dotted ? 1.5 : 3}"${dashes}/>`;
}

export function legend(entries: LegendEntry[]): HTMLElement {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const entry of entries) {
    const item = document.createElement("li");
    item.innerHTML = `<svg width="20" height="12" aria-hidden="true">${sign(entry)}</svg>`;
    item.append(entry.label);
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

export const mostSeries = 12;

/** Below the charts: how many are drawn where not all are. */
export function noteShown(place: HTMLElement, shown: number, all: number, what = "series"): void {
  if (all > shown) place.append(note(`The first ${shown} of ${all} ${what}; the table has all.`));
}

export function noteSame(place: HTMLElement, same: string): void {
  if (same) place.append(note(`Every point: ${same}.`));
}

/** What simulated numbers rest on. */
export function noteBasis(place: HTMLElement, notes: string[]): void {
  for (const text of notes) place.append(note(text));
}

/** A small chart for each of the first series; below, how many there are. */
export function seriesCharts(place: HTMLElement, titles: string[], draw: (index: number, width: number) => Plots): void {
  multiples(place, titles.slice(0, mostSeries), draw);
  noteShown(place, mostSeries, titles.length);
}

type Plots = Plot.PlotOptions | Plot.PlotOptions[];

/** One cell a title, each drawn at the width it really has; several plots of a cell stand below one another. */
export function multiples(place: HTMLElement, titles: string[], draw: (index: number, width: number) => Plots): void {
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
    for (const options of [draw(index, width)].flat()) cell.append(Plot.plot({ width, style, ...options }));
  });
}
