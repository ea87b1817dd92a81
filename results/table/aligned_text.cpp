// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as aligned text for a terminal, a file or a golden test.
#include "results/table/aligned_text.hpp"

#include <algorithm>
#include <variant>

#include "harness/core/printable.hpp"
#include "results/table/folding.hpp"
#include "results/table/layout.hpp"

namespace assay::results {
namespace {

constexpr std::size_t indent_below = 4;

/// The cells in their row, over as many lines as they take.
std::string row_text(const std::vector<std::string>& texts, const Layout& layout, const Table& head) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    cells.push_back(layout[i] ? wrapped(texts[i], *layout[i]) : std::vector<std::string>());
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    bool is_first = true;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!layout[i]) continue;
      const std::string word = line < cells[i].size() ? cells[i][line] : "";
      const std::string space(*layout[i] - std::min(*layout[i], width_of(word)), ' ');
      text += (is_first ? "" : "  ") + (is_left(head.columns[i]) ? word + space : space + word);
      is_first = false;
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

/// A wrapped line with the others below it, further in.
std::string indented(const std::string& text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string whole;
  for (const std::string& line : wrapped(text, width > indent ? width - indent : width))
    whole += margin + line + '\n';
  return whole;
}

/// The cells below their row: "    because: the link runs at half its width".
std::string below_row(const std::vector<Cell>& row, const std::vector<std::string>& texts,
                      const Layout& layout, const Folding& folding, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (layout[i] || texts[i].empty() || std::holds_alternative<std::monostate>(row[folding.kept[i]]))
      continue;
    text += indented(heading_of(folding.head.columns[i]) + ": " + texts[i], indent_below, width);
  }
  return text;
}

std::string paragraphs(const std::vector<std::string>& texts, std::size_t width) {
  std::string text;
  for (const std::string& one : texts) text += "\n" + indented(core::valid_text(one), 0, width);
  return text;
}

void write(const LongTable& table, const Folding& folding, std::size_t width, const core::ByteSink& sink) {
  const Table& head = folding.head;
  const Layout layout = layout_of(folding, width);
  std::vector<std::string> rule;
  for (const auto& column : layout) rule.emplace_back(column.value_or(0), '-');
  sink(indented(one_line(heading_of(head)), 0, width) + paragraphs(folding.shared, width) + "\n" +
       row_text(headings_of(head), layout, head) + row_text(rule, layout, head));
  table.each_row([&](const std::vector<Cell>& row) {
    const std::vector<std::string> texts = texts_of(row, folding);
    sink(row_text(texts, layout, head) + below_row(row, texts, layout, folding, width));
  });
  sink(paragraphs(head.notes, width));
}

void write_without_rows(const Table& head, std::size_t width, const core::ByteSink& sink) {
  const std::string heading = one_line(heading_of(head));
  sink(indented(head.notes.empty() ? heading + ": none" : heading, 0, width) + paragraphs(head.notes, width));
}

}  // namespace

void write_text(const LongTable& table, int width, const core::ByteSink& sink) {
  const TableFacts facts(table.head, table.each_row);
  const std::size_t limit = static_cast<std::size_t>(std::max(width, 0));
  if (facts.rows() == 0) return write_without_rows(table.head, limit, sink);
  Folding folding = facts.folded(table.head, Fold::chosen);
  if (limit > 0 && natural_width(folding) > limit) folding = facts.folded(table.head, Fold::all);
  write(table, folding, limit, sink);
}

bool is_empty(const LongTable& table) {
  bool any = !table.head.notes.empty();
  if (!any) table.each_row([&](const std::vector<Cell>&) { any = true; });
  return !any;
}

void write_wide_text(const LongTable& table, const core::ByteSink& sink) {
  const TableFacts facts(table.head, table.each_row);
  if (facts.rows() == 0) return write_without_rows(table.head, 0, sink);
  write(table, facts.folded(table.head, Fold::none), 0, sink);
}

}  // namespace assay::results
