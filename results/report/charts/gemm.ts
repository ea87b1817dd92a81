// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Efficiency against tensor-parallel degree: a line a layer, a heavy one for the block; a small chart a series.
import * as Plot from "@observablehq/plot";

import { Bounded, Chart, distinct, numberText } from "../data";
import { colourOf, legend, mostSeries, multiples, noteSame, noteShown } from "../page";

interface GemmPoint extends Partial<Bounded> {
  back_end: string;
  series: string;
  layer: string;
  tp: number;
  tflops: number | null;
}

const layers = ["qkv", "attention_output", "up_gate", "down"];

function colourOfLayer(layer: string): string {
  return layer === "block" ? "currentColor" : colourOf(Math.max(0, layers.indexOf(layer)));
}

function drawGemm(place: HTMLElement, chart: Chart<GemmPoint>): void {
  const hasPeak = chart.points.some((point) => point.value != null);
  const rows = chart.points.map((point) => ({
    ...point,
    y: hasPeak ? point.value : point.tflops,
    title: [point.back_end, point.series].filter(Boolean).join(", "),
  }));
  const titles = distinct(rows.map((row) => row.title));
  const degrees = distinct(rows.map((row) => row.tp)).sort((a, b) => a - b);
  const top = Math.max(...rows.map((row) => Math.max(row.y ?? 0, (hasPeak ? row.upper : 0) ?? 0)));
  const present = layers.filter((layer) => rows.some((row) => row.layer === layer));
  place.append(
    legend([
      ...present.map((layer) => ({ label: layer.replace("_", " "), colour: colourOfLayer(layer) })),
      { label: "whole block", colour: "currentColor", heavy: true },
    ]),
  );
  multiples(place, titles.slice(0, mostSeries), (index, width) => {
    const points = rows.filter((row) => row.title === titles[index] && row.y != null);
    const common = { x: "tp", y: "y", stroke: (row: GemmPoint) => colourOfLayer(row.layer) };
    return {
      height: Math.min(300, Math.max(200, width * 0.6)),
      marginLeft: 44,
      marginBottom: 42,
      x: { type: "point", domain: degrees, labelOffset: 34, label: "tensor-parallel degree" },
      y: { domain: [0, hasPeak && top <= 100 ? 100 : top * 1.05], label: hasPeak ? "% of peak" : "TFLOP/s", grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([0]),
        Plot.ruleX(points, { x: "tp", y1: "lower", y2: "upper", stroke: common.stroke, filter: (row) => row.lower != null }),
        Plot.line(points, { ...common, z: "layer", strokeWidth: (row: GemmPoint) => (row.layer === "block" ? 4 : 1.75) }),
        Plot.dot(points, {
          ...common,
          fill: common.stroke,
          r: 2.5,
          tip: true,
          title: (row) => `${row.layer}, degree ${row.tp}\n${numberText(row.y)} ${hasPeak ? "% of peak" : "TFLOP/s"}`,
        }),
      ],
    };
  });
  noteSame(place, chart.same);
  noteShown(place, mostSeries, titles.length);
}

export const drawers = { gemm: drawGemm };
