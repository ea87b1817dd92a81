// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/crossovers.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "harness/core/in_order.hpp"

namespace assay::results {

std::string Crossover::name() const { return fmt::format("{} on {} ranks", operation, ranks); }

std::vector<Reign> Crossover::reigns() const {
  std::vector<Reign> reigns;
  for (const auto& [bytes, contest] : contests) {
    const std::string winner = contest.winner().contender();
    if (reigns.empty() || reigns.back().contender != winner) reigns.push_back({winner, bytes, bytes});
    reigns.back().last = bytes;
  }
  return reigns;
}

std::vector<Crossover> crossovers_of(const std::vector<Contest>& contests) {
  core::InOrder<std::tuple<std::string, std::int64_t, Fields>, std::map<std::int64_t, Contest>> groups;
  for (const Contest& contest : contests)
    if (const auto bytes = field_integer(contest.axes, {"bytes"}))
      groups[{contest.operation, contest.ranks, without(contest.axes, "bytes")}].emplace(*bytes, contest);
  std::vector<Crossover> crossovers;
  for (auto& [key, by_size] : groups.take()) {
    const auto& [operation, ranks, axes] = key;
    crossovers.push_back({operation, ranks, axes, std::move(by_size)});
  }
  return crossovers;
}

std::string to_text(const Crossover& crossover) {
  const std::vector<Reign> reigns = crossover.reigns();
  std::string text = crossover.name() + ":";
  for (std::size_t i = 0; i < reigns.size(); ++i) {
    const Reign& reign = reigns[i];
    text += fmt::format("{} {}", i == 0 ? "" : ",", reign.contender);
    if (reigns.size() == 1) return text + " throughout";
    if (i == 0)
      text += " to " + bytes_text(reign.last);
    else if (i + 1 == reigns.size())
      text += " from " + bytes_text(reign.first);
    else
      text += reign.first == reign.last
                  ? " at " + bytes_text(reign.first)
                  : fmt::format(" from {} to {}", bytes_text(reign.first), bytes_text(reign.last));
  }
  return text;
}

}  // namespace assay::results
