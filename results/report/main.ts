// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Draws every chart the page has a place for; again when the width changes. The page is whole without it.
import { drawMatrices } from "./bandwidth_matrix";
import { drawCrossover } from "./crossover_chart";
import { ReportData } from "./data";
import { drawFabricBandwidth, drawFabricLatency } from "./fabric_chart";
import { drawBandwidth, drawLatency } from "./footprint_chart";
import { drawGemm } from "./gemm_chart";
import { drawInterference, drawSlowdown } from "./interference_chart";
import { drawMatmul } from "./matmul_chart";
import { drawPipeline } from "./overlap_chart";
import { drawPairs } from "./pairs_chart";
import { drawSamples } from "./samples_chart";
import { drawSpread } from "./spread_chart";
import { drawTimes } from "./time_chart";
import { drawTimeline } from "./timeline_chart";
import { addVerdictFilters } from "./verdict_filter";

const data: ReportData = JSON.parse(document.getElementById("report-data")?.textContent ?? "{}");

const drawers: Record<string, (place: HTMLElement) => void> = {
  gemm: (place) => drawGemm(place, data.gemm),
  matmul: (place) => drawMatmul(place, data.matmul),
  bandwidth: (place) => drawBandwidth(place, data.bandwidth),
  latency: (place) => drawLatency(place, data.latency, data.cache_levels),
  copies: (place) => drawBandwidth(place, data.copies, "copied each way"),
  copy_matrices: (place) => drawMatrices(place, data.copy_matrices),
  peer_matrices: (place) => drawMatrices(place, data.peer_matrices),
  rdma_bandwidth: (place) => drawFabricBandwidth(place, data.rdma_bandwidth),
  rdma_latency: (place) => drawFabricLatency(place, data.rdma_latency),
  rdma_times: (place) => drawTimes(place, data.rdma_times),
  rdma_pairs: (place) => drawPairs(place, data.rdma_pairs),
  timeline: (place) => drawTimeline(place, data.timeline),
  spread: (place) => drawSpread(place, data.spread),
  crossover: (place) => drawCrossover(place, data.crossover),
  pipeline: (place) => drawPipeline(place, data.pipeline),
  interference: (place) => drawInterference(place, data.interference),
  slowdown: (place) => drawSlowdown(place, data.slowdown),
  samples: (place) => drawSamples(place, data.samples),
};

/** A chart that cannot be drawn says so in its place, and the others are drawn. */
function drawAll(): void {
  let drawn = 0;
  const failures: string[] = [];
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-chart]")) {
    const place = figure.querySelector<HTMLElement>(".plot");
    if (!place) continue;
    place.replaceChildren();
    try {
      drawers[figure.dataset.chart ?? ""](place);
      ++drawn;
    } catch (error) {
      failures.push(`${figure.dataset.chart}: ${error}`);
      place.textContent = "This chart could not be drawn; the table below holds its numbers.";
    }
  }
  document.documentElement.dataset.chartsDrawn = String(drawn);
  document.documentElement.dataset.chartsFailed = failures.join("; ");
  if (failures.length > 0) console.error(failures.join("; "));
}

addVerdictFilters();
drawAll();
let width = window.innerWidth;
let timer = 0;
window.addEventListener("resize", () => {
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  window.clearTimeout(timer);
  timer = window.setTimeout(drawAll, 150);
});
// On paper everything that opens is open, and shut again afterwards.
let opened: HTMLDetailsElement[] = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details")].filter((details) => !details.open);
  for (const details of opened) details.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
  opened = [];
});
