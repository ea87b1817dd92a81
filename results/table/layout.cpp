// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/table/layout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "results/table/table.hpp"

namespace assay::results {
namespace {

constexpr std::size_t gap = 2, lines_of_a_cell = 3, narrowest_text = 12;

std::size_t lines_for(std::size_t characters, std::size_t width) {
  return (characters + width - 1) / std::max<std::size_t>(width, 1);
}

/// The width below which a column had better stand below its row.
std::size_t narrowest(const Column& column, const ColumnWidths& widths) {
  const std::size_t third = lines_for(widths.cells, lines_of_a_cell);
  switch (column.kind) {
    case Column::Kind::text:
      return std::max({widths.heading_word, third, std::min(widths.cells, narrowest_text)});
    case Column::Kind::word:
      return std::max({widths.heading_word, third, widths.cell_word});
    default:
      return std::max(widths.heading_word, widths.cells);
  }
}

std::size_t natural(const ColumnWidths& widths) { return std::max(widths.heading, widths.cells); }

std::size_t width_of_row(const Layout& layout) {
  std::size_t total = 0;
  for (const auto& width : layout)
    if (width) total += *width + (total > 0 ? gap : 0);
  return total;
}

/// Texts go below their rows before words, and these before numbers; the widest first.
std::pair<int, std::size_t> readiness_to_go_below(const Column& column, const ColumnWidths& widths) {
  if (column.kind == Column::Kind::text) return {2, widths.cells};
  if (column.kind == Column::Kind::word) return {1, widths.cells};
  return {0, 0};
}

/// 0, where only the first column is left: it says whose row it is. Of equal columns the last.
std::size_t next_below(const Layout& layout, const Folding& folding) {
  std::size_t chosen = 0;
  std::pair<int, std::size_t> most;
  for (std::size_t at = 1; at < layout.size(); ++at) {
    if (!layout[at]) continue;
    const auto readiness = readiness_to_go_below(folding.head.columns[at], folding.widths[at]);
    if (chosen == 0 || readiness >= most) chosen = at, most = readiness;
  }
  return chosen;
}

/// Gives what is left of a line to the columns whose cells take the most lines; of equal ones to the
/// narrowest.
void widen(Layout& layout, const Folding& folding, std::size_t limit) {
  for (std::size_t used = width_of_row(layout); used < limit; ++used) {
    std::size_t* neediest = nullptr;
    std::size_t most_lines = 1, its_natural = 0;
    for (std::size_t at = 0; at < layout.size(); ++at) {
      if (!layout[at]) continue;
      const std::size_t whole = natural(folding.widths[at]), lines = lines_for(whole, *layout[at]);
      if (lines < 2 || lines < most_lines || (lines == most_lines && whole >= its_natural)) continue;
      most_lines = lines, its_natural = whole, neediest = &*layout[at];
    }
    if (neediest == nullptr) return;
    ++*neediest;
  }
}

/// How many bytes the first `characters` take.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if ((text[at] & 0xc0) != 0x80 && seen++ == characters) return at;
  return text.size();
}

/// The end of the first line: at a blank, else behind a sign that separates, else where the width ends.
std::size_t end_of_line(std::string_view text, std::size_t width) {
  const std::size_t most = bytes_of(text, width);
  if (most == text.size()) return most;
  if (const std::size_t blank = text.rfind(' ', most); blank != std::string_view::npos && blank > 0)
    return blank;
  const std::size_t sign = text.find_last_of("/,", most - 1);
  return sign == std::string_view::npos ? most : sign + 1;
}

}  // namespace

std::size_t natural_width(const Folding& folding) {
  Layout layout;
  for (const ColumnWidths& widths : folding.widths) layout.emplace_back(natural(widths));
  return width_of_row(layout);
}

Layout layout_of(const Folding& folding, std::size_t limit) {
  const bool fits = limit == 0 || natural_width(folding) <= limit;
  Layout layout;
  for (std::size_t at = 0; at < folding.widths.size(); ++at)
    layout.emplace_back(fits ? natural(folding.widths[at])
                             : narrowest(folding.head.columns[at], folding.widths[at]));
  if (fits) return layout;
  while (width_of_row(layout) > limit) {
    const std::size_t below = next_below(layout, folding);
    if (below == 0) break;
    layout[below].reset();
  }
  widen(layout, folding, limit);
  return layout;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  if (width == 0) return {text};
  std::vector<std::string> lines;
  std::string_view rest = text;
  do {
    const std::size_t end = end_of_line(rest.substr(0, rest.find('\n')), width);
    lines.emplace_back(rest.substr(0, end));
    const bool was_broken = end < rest.size() && rest[end] != '\n';
    rest.remove_prefix(std::min(end + (was_broken ? 0 : 1), rest.size()));
    if (was_broken) rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  } while (!rest.empty());
  return lines;
}

}  // namespace assay::results
