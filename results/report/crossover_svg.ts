// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The crossover charts of a report as one SVG file, below one another: what scripts/draw-crossover writes.
import * as Plot from "@observablehq/plot";

import { CrossoverData, crossoverLegend, regretPlot, timePlot } from "./charts/crossover";
import { distinct } from "./data";
import { sign } from "./page";
import style from "./style.css";
import { SvgDocument } from "./svg_document";

const width = 760;
const lineHeight = 20;
const letterWidth = 7.2; // of the legend's font, roughly: what a file cannot measure

interface CrossoverReport {
  run_id: string;
  origin: string;
  crossover: CrossoverData;
}

/** Pieces with their heights become one column. */
class Column {
  private parts: string[] = [];
  height = 12;
  add(part: string, height: number): void {
    this.parts.push(`<g transform="translate(0,${this.height})">${part}</g>`);
    this.height += height;
  }
  toString(): string {
    return this.parts.join("\n");
  }
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

function line(text: string, attributes = ""): string {
  return `<text x="12" y="14" fill="currentColor" ${attributes}>${escaped(text)}</text>`;
}

function addLegend(column: Column, data: CrossoverReport): void {
  let x = 12;
  let row = "";
  for (const entry of crossoverLegend(data.crossover)) {
    const wide = 34 + letterWidth * entry.label.length;
    if (x + wide > width) {
      column.add(row, lineHeight);
      [x, row] = [12, ""];
    }
    row += `<g transform="translate(${x},4)">${sign(entry)}<text x="26" y="10" fill="currentColor">${escaped(entry.label)}</text></g>`;
    x += wide;
  }
  column.add(row, lineHeight + 6);
}

function addPlot(column: Column, options: Plot.PlotOptions): void {
  const document = new SvgDocument() as unknown as Document;
  const plot = Plot.plot({ ...options, document, style: { background: "transparent", fontFamily: "inherit", fontSize: "12px", overflow: "visible" } });
  column.add(String(plot), (options.height ?? 0) + 8);
}

/** The page's colours, for light and dark. */
function colours(): string {
  const light = style.match(/:root \{[^}]*\}/)?.[0] ?? "";
  const dark = style.match(/@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}\s*\}/)?.[0] ?? "";
  return `${light}\n${dark}\nsvg { color: var(--text); font: 12px system-ui, sans-serif; }`;
}

export function crossoverSvg(data: CrossoverReport): string {
  const column = new Column();
  addLegend(column, data);
  for (const series of distinct(data.crossover.points.map((point) => point.series))) {
    column.add(line(series, 'font-size="14" font-weight="600"'), lineHeight + 8);
    addPlot(column, timePlot(data.crossover, series, width));
    const regret = regretPlot(data.crossover, series, width);
    if (regret) addPlot(column, regret);
  }
  const same = data.crossover.same ? `; every point: ${data.crossover.same}` : "";
  column.add(line(`Run ${data.run_id} (${data.origin})${same}.`, 'fill-opacity="0.7"'), lineHeight + 4);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${column.height}" width="${width}" height="${column.height}">
<!-- SPDX-FileCopyrightText: The assay authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
<style>${colours()}</style>
<rect width="100%" height="100%" fill="var(--page)"/>
${column}
</svg>
`;
}
