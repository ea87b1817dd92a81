// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A button above each table that downloads, as CSV (RFC 4180), the rows that the table shows: what a filter hides is
// left out, and of what opens only its summary is taken.

function textOfCell(cell: HTMLTableCellElement): string {
  const shown = cell.querySelector("summary") ?? cell;
  return (shown.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** A spreadsheet takes text that opens so for a formula: an apostrophe makes it text. Numbers stay numbers. */
function guarded(text: string): string {
  const number = /^[-+]?[\d.][-+\d.,eE±[\]% ]*$/;
  return /^([=+@]|-.)/.test(text) && !number.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  const safe = guarded(text);
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** "imported": of the row, else of its table. */
function originOf(table: HTMLTableElement, row: HTMLTableRowElement): string {
  return row.dataset.origin ?? table.dataset.origin ?? "";
}

export function csvOf(table: HTMLTableElement): string {
  const rows = [...table.rows].filter((row) => !row.hidden);
  const named = rows.some((row) => originOf(table, row) !== "");
  const lines = rows.map((row) => {
    const cells = [...row.cells].map((cell) => quoted(textOfCell(cell)));
    if (named) cells.push(row.parentElement === table.tHead ? "origin" : quoted(originOf(table, row)));
    return cells.join(",") + "\r\n";
  });
  return lines.join("");
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function addCsvButtons(): void {
  const taken = new Map<string, number>();
  for (const box of document.querySelectorAll<HTMLElement>(".scroll")) {
    const table = box.querySelector("table");
    const section = box.closest("section")?.id || "table";
    const place = (taken.get(section) ?? 0) + 1;
    taken.set(section, place);
    const name = place === 1 ? `${section}.csv` : `${section}-${place}.csv`;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "csv";
    button.textContent = "CSV";
    button.setAttribute("aria-label", `download this table as ${name}`);
    button.title = `download as ${name}`;
    button.addEventListener("click", () => table && download(name, csvOf(table)));
    box.before(button);
  }
}
