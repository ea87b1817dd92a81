// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often which latency occurred: counts are logarithmic, so that one late message in thousands shows.
import * as Plot from "@observablehq/plot";

import { numberText } from "../data";
import { logTicks, multiples } from "../page";

interface TimeHistogram {
  label: string;
  n: number;
  edges_s: number[]; // one more than counts
  counts: number[];
  median_s: number | null;
  p99_s: number | null;
}

/** Below one, so that a single sample has a bar. */
const floor = 0.7;

function drawTimes(place: HTMLElement, histograms: TimeHistogram[]): void {
  const titles = histograms.map((histogram) => `${histogram.label} (n ${histogram.n})`);
  multiples(place, titles, (index, width) => {
    const { edges_s, counts, median_s, p99_s } = histograms[index];
    const us = edges_s.map((edge) => edge * 1e6);
    const bars = counts.map((count, bin) => ({ count, from: us[bin], to: us[bin + 1] })).filter((bar) => bar.count > 0);
    const most = Math.max(...counts);
    const domain = us.length > 2 ? [us[0], us[us.length - 1]] : [us[0] * 0.9, us[0] * 1.1];
    const ends = us.length > 2 ? bars : bars.map((bar) => ({ ...bar, from: domain[0], to: domain[1] }));
    const named = [
      { name: "median", us: median_s == null ? NaN : median_s * 1e6, dy: -22 },
      { name: "p99", us: p99_s == null ? NaN : p99_s * 1e6, dy: -9 },
    ].filter((mark) => mark.us >= domain[0] && mark.us <= domain[1]);
    return {
      height: Math.min(260, Math.max(210, width * 0.5)),
      marginLeft: 48,
      marginTop: 48,
      marginBottom: 42,
      marginRight: 24,
      x: { type: "log", domain },
      y: { type: "log", domain: [floor, most * 1.3] },
      marks: [
        Plot.gridY(logTicks(1, most * 1.3)),
        Plot.axisY(logTicks(1, most * 1.3), { text: numberText, label: "samples" }),
        Plot.axisX(timeTicks(domain, width), { text: numberText, label: "us", labelOffset: 34 }),
        Plot.rect(ends, {
          x1: "from", x2: "to", y1: floor, y2: "count", fill: "var(--series-1)", fillOpacity: 0.75, insetLeft: 0.5, insetRight: 0.5,
          tip: true, title: (bar) => `${numberText(bar.from)} to ${numberText(bar.to)} us\n${bar.count} samples`,
        }),
        Plot.ruleX(named, { x: "us", strokeDasharray: "3,3" }),
        ...named.map((mark) =>
          Plot.text([mark], {
            x: "us", text: () => `${mark.name} ${numberText(mark.us)}`, frameAnchor: "top", dy: mark.dy,
            ...(mark.us > Math.sqrt(domain[0] * domain[1]) ? { textAnchor: "end", dx: -3 } : { textAnchor: "start", dx: 3 }),
          }),
        ),
      ],
    };
  });
}

/** 1, 2, 5, ... where the times span much; else round ones in even steps. */
function timeTicks(domain: number[], width: number): number[] {
  const ticks = logTicks(domain[0], domain[1]);
  if (ticks.length >= 3) return ticks;
  const least = (domain[1] - domain[0]) / (width < 320 ? 3 : 5);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
  const even: number[] = [];
  for (let at = Math.ceil(domain[0] / step); at * step <= domain[1]; ++at) even.push(at * step);
  return even;
}

export const drawers = { rdma_times: drawTimes };
