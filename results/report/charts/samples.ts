// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every sample in the order taken, so that drift, two modes and outliers show.
import * as Plot from "@observablehq/plot";

import { Bounded, numberText } from "../data";
import { multiples } from "../page";

interface SampleSet extends Partial<Bounded> {
  case: string;
  point: string;
  label: string;
  drifting: boolean;
  stop: string;
  n: number;
  samples_s: (number | null)[];
}

function drawSamples(place: HTMLElement, sets: SampleSet[]): void {
  const drawn = sets.filter((set) => set.value != null && set.value > 0 && set.samples_s.length > 0);
  const titleOf = (set: SampleSet) => `${set.case}${set.case.endsWith(set.label) ? "" : `, ${set.label}`}${set.drifting ? " (drifting)" : ""}`;
  multiples(place, drawn.map(titleOf), (index, width) => {
    const set = drawn[index];
    const percent = (seconds: number | null | undefined) => (seconds == null ? NaN : (100 * seconds) / (set.value as number));
    const step = set.n / set.samples_s.length;
    const rows = set.samples_s.map((seconds, at) => ({ at: Math.floor(at * step), y: percent(seconds) }));
    const band = [{ y1: percent(set.lower), y2: percent(set.upper) }];
    return {
      height: Math.min(220, Math.max(150, width * 0.45)),
      marginLeft: 48,
      marginBottom: 40,
      x: { label: "sample", labelOffset: 32, domain: [0, Math.max(1, set.n - 1)], ticks: 5 },
      y: { label: "% of the reported time", grid: true, nice: true, ticks: 4, tickFormat: numberText },
      marks: [
        Plot.rectY(band, { x1: 0, x2: Math.max(1, set.n - 1), y1: "y1", y2: "y2", fill: "var(--series-1)", fillOpacity: 0.18 }),
        Plot.ruleY([100], { stroke: "var(--series-1)" }),
        Plot.dot(rows, { x: "at", y: "y", r: 1.8, fill: "currentColor", fillOpacity: 0.65, filter: (row) => Number.isFinite(row.y) }),
      ],
    };
  });
}

export const drawers = { samples: drawSamples };
