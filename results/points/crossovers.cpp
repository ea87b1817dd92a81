// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/crossovers.hpp"

#include <fmt/format.h>

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
  std::map<std::string, std::size_t> places;
  std::vector<Crossover> crossovers;
  for (const Contest& contest : contests) {
    const auto bytes = field_integer(contest.axes, {"bytes"});
    if (!bytes) continue;
    const Fields axes = without(contest.axes, "bytes");
    const auto [place, is_new] = places.try_emplace(
        fmt::format("{} {}{}", contest.operation, contest.ranks, text_of(axes)), crossovers.size());
    if (is_new) crossovers.push_back({contest.operation, contest.ranks, axes, {}});
    crossovers[place->second].contests.emplace(*bytes, contest);
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
