// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which algorithm wins at which size: a chart an operation and number of ranks, the library's regret below it.
import { contenders, crossoverLegend, regretPlot, timePlot } from "./crossover_plot";
import { CrossoverData, distinct } from "./data";
import { legend, multiples, note } from "./page";

const shown = 12;

export function drawCrossover(place: HTMLElement, data: CrossoverData): void {
  if (contenders(data).length === 0) return;
  const titles = distinct(data.points.map((point) => point.series));
  place.append(legend(crossoverLegend(data)));
  multiples(place, titles.slice(0, shown), (index, width) => {
    const regret = regretPlot(data, titles[index], width);
    return regret ? [timePlot(data, titles[index], width), regret] : [timePlot(data, titles[index], width)];
  });
  if (titles.length > shown) place.append(note(`The first ${shown} of ${titles.length} series; the table has all.`));
  if (data.same) place.append(note(`Every point: ${data.same}.`));
}
