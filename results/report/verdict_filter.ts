// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Filters above the table of verdicts: by verdict, by unit, by what was looked at. They are made here because they need
// this script: a page without it has the whole table and nothing that does not work.
interface Filter {
  verdicts: Set<string>; // none pressed: all
  unit: string;
  what: string;
}

function textOf(row: HTMLTableRowElement, cell: string): string {
  return row.querySelector(cell)?.textContent?.toLowerCase() ?? "";
}

function passes(row: HTMLTableRowElement, filter: Filter): boolean {
  const chosen = filter.verdicts.size === 0 || filter.verdicts.has(row.dataset.verdict ?? "");
  return chosen && textOf(row, ".unit-name").includes(filter.unit) && textOf(row, ".what").includes(filter.what);
}

function verdictButtons(rows: HTMLTableRowElement[], filter: Filter, apply: () => void): HTMLElement[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.dataset.verdict ?? "", (counts.get(row.dataset.verdict ?? "") ?? 0) + 1);
  return [...counts].map(([verdict, count]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.filter = verdict;
    button.className = verdict.toLowerCase().replace("_", "-");
    button.textContent = `${verdict.replace("_", " ")} ${count}`;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      const pressed = !filter.verdicts.delete(verdict);
      if (pressed) filter.verdicts.add(verdict);
      button.setAttribute("aria-pressed", String(pressed));
      apply();
    });
    return button;
  });
}

function textField(name: "unit" | "what", label: string, filter: Filter, apply: () => void): HTMLElement {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = label;
  field.setAttribute("aria-label", label);
  field.dataset.filter = name;
  field.addEventListener("input", () => {
    filter[name] = field.value.trim().toLowerCase();
    apply();
  });
  return field;
}

/** A click anywhere on a row opens its evidence, as one on its summary does. */
function openOnClick(row: HTMLTableRowElement): void {
  row.addEventListener("click", (event) => {
    const details = row.querySelector("details");
    if (!details || (event.target as Element).closest("details") || String(window.getSelection())) return;
    details.open = !details.open;
  });
}

export function addVerdictFilters(): void {
  const table = document.querySelector<HTMLElement>(".verdict-rows");
  if (!table) return;
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  const filter: Filter = { verdicts: new Set(), unit: "", what: "" };
  const summary = document.createElement("p");
  summary.className = "note";
  summary.setAttribute("aria-live", "polite");
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !passes(row, filter);
      if (!row.hidden) ++shown;
    }
    summary.textContent = shown === rows.length ? `${rows.length} rows on this page` : `${shown} of ${rows.length} rows on this page: the others are filtered out`;
  };
  const bar = document.createElement("div");
  bar.className = "filters";
  bar.append(
    ...verdictButtons(rows, filter, apply),
    textField("unit", "unit contains", filter, apply),
    textField("what", "metric or check contains", filter, apply),
  );
  table.before(bar, summary);
  rows.forEach(openOnClick);
  apply();
}
