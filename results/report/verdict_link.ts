// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A link to a verdict (#verdict-...) shows its row with its evidence, although a filter hid it.

function showLinked(): void {
  const row = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  if (!row?.matches(".verdict-rows tr")) return;
  row.hidden = false;
  const details = row.querySelector("details");
  if (details) details.open = true;
  row.scrollIntoView({ block: "center" });
}

export function followVerdictLinks(): void {
  window.addEventListener("hashchange", showLinked);
  showLinked();
}
