// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Draws every chart the page has a place for; again when the width changes. The page is whole without it.
import { drawers } from "charts"; // every charts/*.ts, put together by build.mjs
import { addCsvButtons } from "./csv_export";
import { ReportData } from "./data";
import { addVerdictFilters } from "./verdict_filter";
import { followVerdictLinks } from "./verdict_link";

const data: ReportData = JSON.parse(document.getElementById("report-data")?.textContent ?? "{}");

/** A chart that cannot be drawn says so in its place, and the others are drawn. */
function drawAll(): void {
  let drawn = 0;
  const failures: string[] = [];
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-chart]")) {
    const place = figure.querySelector<HTMLElement>(".plot");
    if (!place) continue;
    place.replaceChildren();
    try {
      const name = figure.dataset.chart ?? "";
      drawers[name](place, data[name], data);
      // The place has a name, and the table its numbers; the labels of the marks have no role, which readers refuse.
      for (const svg of place.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true");
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
addCsvButtons();
drawAll();
followVerdictLinks();
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
