// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated workloads: the time of every step, stacked for each policy, and the imbalance of uplinks over queue pairs.
import * as Plot from "@observablehq/plot";

import { lineMarks } from "../curve";
import { Bounded, distinct, numberText, SimulatedChart } from "../data";
import { colourOf, legend, multiples, noteBasis, noteSame, noteShown, seriesCharts } from "../page";

interface Step extends Bounded {
  series: string; // the policy
  kernel: string; // the operation
  step: number; // the first of those alike
  alike: number;
}

interface Total extends Bounded {
  series: string;
}

interface StepChart extends SimulatedChart<Step> {
  totals: Total[];
}

interface Bar extends Step {
  from: number; // ms
  to: number;
}

const mostPolicies = 24;
const rowHeight = 30;
const longestName = 320; // pixels

/** Of one policy one after the other. */
function stacked(steps: Step[]): Bar[] {
  let from = 0;
  return steps.map((step) => {
    const to = from + (step.value ?? 0);
    const bar = { ...step, from, to };
    from = to;
    return bar;
  });
}

function stepText(bar: Bar): string {
  const one = (bar.value ?? NaN) / bar.alike;
  const which = bar.alike === 1 ? `step ${bar.step}` : `step ${bar.step} and others alike: ${numberText(bar.alike)} of ${numberText(one)} ms`;
  return `${bar.kernel}\n${which}\n${numberText(bar.value ?? NaN)} ms`;
}

function drawSteps(place: HTMLElement, chart: StepChart): void {
  const all = distinct(chart.points.map((step) => step.series));
  const policies = all.slice(0, mostPolicies);
  const operations = distinct(chart.points.map((step) => step.kernel));
  const bars = policies.flatMap((policy) => stacked(chart.points.filter((step) => step.series === policy)));
  const totals = chart.totals.filter((total) => policies.includes(total.series));
  const name = (row: { series: string }) => row.series || "workload";
  const longest = Math.max(...policies.map((policy) => name({ series: policy }).length));
  place.append(legend(operations.map((label, index) => ({ label, colour: colourOf(index), heavy: true }))));
  multiples(place, [""], () => ({
    width: Math.max(240, place.clientWidth),
    height: 54 + rowHeight * policies.length,
    marginLeft: Math.min(longestName, 16 + 7 * longest),
    marginRight: 24,
    marginBottom: 42,
    x: { label: "ms, simulated", labelOffset: 34, grid: true, ticks: 6 },
    y: { type: "band", domain: policies.map((series) => name({ series })), label: null, tickSize: 0, padding: 0.25 },
    marks: [
      Plot.rectX(bars, {
        y: name, x1: "from", x2: "to", fill: (bar: Bar) => colourOf(operations.indexOf(bar.kernel)), fillOpacity: 0.75, stroke: "var(--page)", strokeWidth: 1,
        tip: true, title: stepText,
      }),
      Plot.ruleY(totals, { y: name, x1: "lower", x2: "upper", strokeWidth: 2, stroke: "currentColor", filter: (total: Total) => total.lower != null }),
      Plot.ruleX([0]),
    ],
  }));
  noteShown(place, mostPolicies, all.length, "policies");
  noteBasis(place, chart.notes);
  noteSame(place, chart.same);
}

interface Imbalance extends Bounded {
  series: string;
  kernel: string; // the routing
  count: number; // queue pairs
}

const apart = 1.025; // routings of equal values do not hide each other

function drawImbalance(place: HTMLElement, chart: SimulatedChart<Imbalance>): void {
  const rows = [...chart.points].sort((a, b) => a.count - b.count);
  const routings = distinct(chart.points.map((row) => row.kernel));
  const titles = distinct(chart.points.map((row) => row.series));
  const counts = distinct(rows.map((row) => row.count));
  const at = (row: Imbalance) => row.count * apart ** routings.indexOf(row.kernel);
  const top = Math.max(...rows.map((row) => row.upper ?? row.value ?? 1));
  place.append(legend(routings.map((label, index) => ({ label, colour: colourOf(index) }))));
  seriesCharts(place, titles, (index, width) => {
    const own = rows.filter((row) => row.series === titles[index]);
    const title = (row: Imbalance) => {
      const interval = row.lower != null ? ` [${numberText(row.lower)}, ${numberText(row.upper ?? NaN)}]` : "";
      return `${row.kernel}, ${row.count} queue pairs\n${numberText(row.value ?? NaN)}${interval} times the mean`;
    };
    return {
      height: Math.min(320, Math.max(220, width * 0.4)),
      marginLeft: 48,
      marginBottom: 42,
      x: { type: "log", base: 2, domain: [counts[0], counts[counts.length - 1] * 1.1], ticks: counts, tickFormat: "d", label: "queue pairs of a message", labelOffset: 34, inset: 12 },
      y: { domain: [0, top * 1.05], label: "most loaded uplink over the mean, simulated", grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([1], { stroke: "var(--quiet)", strokeDasharray: "4,3" }),
        ...lineMarks(own, { x: at, z: "kernel", stroke: (row) => colourOf(routings.indexOf(row.kernel)), title }),
      ],
    };
  });
  noteBasis(place, chart.notes);
  noteSame(place, chart.same);
}

export const drawers = { simulated_steps: drawSteps, simulated_imbalance: drawImbalance };
