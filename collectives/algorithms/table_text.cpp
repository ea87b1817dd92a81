// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "collectives/algorithms/table.hpp"

namespace assay::collectives {
namespace {

constexpr std::int64_t elements = 3 << 20;  // 8, 12 and 16 divide it; a double tree then has 16 chunks

Problem example(Operation operation, int ranks) {
  Problem problem{.operation = operation, .ranks = ranks, .count = elements};
  for (int rank = 0; rank < ranks; ++rank) problem.node_of.push_back(rank / 4);
  if (operation == Operation::all_to_all_v)
    problem.counts = std::make_shared<const CountsMatrix>(
        std::vector(static_cast<std::size_t>(ranks),
                    std::vector<std::int64_t>(static_cast<std::size_t>(ranks), elements / ranks)));
  return problem;
}

/// "14 / 1.750 S"
std::string figures(const Algorithm& row, int ranks) {
  const Problem problem = example(row.operation, ranks);
  std::int64_t busiest = 0;
  for (int rank = 0; rank < ranks; ++rank) busiest = std::max(busiest, row.sent(problem, rank).elements);
  const double share = static_cast<double>(busiest) / static_cast<double>(elements);
  return fmt::format("{} / {:.3f} S", row.steps(problem), share);
}

std::string markdown(bool with_figures) {
  std::string text =
      fmt::format("| operation | algorithm | steps | sent by the busiest rank |{}\n|---|---|---|---|{}\n",
                  with_figures ? " n = 8 | n = 12 |" : "", with_figures ? "---|---|" : "");
  for (const Algorithm& row : algorithms()) {
    fmt::format_to(std::back_inserter(text), "| {} | {} | {} | {} |", to_text(row.operation), row.name,
                   row.steps_formula, row.bytes_formula);
    if (with_figures)
      fmt::format_to(std::back_inserter(text), " {} | {} |", figures(row, 8), figures(row, 12));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string formulas_table() { return markdown(false); }

std::string steps_and_bytes_table() { return markdown(true); }

}  // namespace assay::collectives
