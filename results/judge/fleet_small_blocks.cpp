// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_small_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "results/judge/fleet_judgement.hpp"

namespace assay::results {
namespace {

/// Hosts of each block, where the fleet tells hosts.
std::map<std::string, std::set<std::string>> hosts_of_blocks(const Fleet& fleet) {
  std::map<std::string, std::set<std::string>> hosts;
  const auto host = std::ranges::find(fleet.levels, "host");
  const auto level = static_cast<std::size_t>(host - fleet.levels.begin());
  for (const FleetUnit& unit : fleet.units)
    hosts[unit.block].insert(host == fleet.levels.end() ? unit.name : unit.places[level]);
  return hosts;
}

}  // namespace

std::vector<std::string> leave_out_small_blocks(const Fleet& fleet, FleetRounds& rounds) {
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> units;
  for (const FleetUnit& unit : fleet.units) ++units[unit.block];
  std::set<std::string> small;
  for (const auto& [block, hosts] : hosts_of_blocks(fleet)) {
    const bool few = units[block] < least_equals, alone = units.size() > 1 && hosts.size() < least_equals;
    if (!few && !alone) continue;
    small.insert(block);
    lines.push_back(fmt::format("{}: {} units in {} hosts", block.empty() ? "of no known kind" : block,
                                units[block], hosts.size()));
  }
  for (Deviations& round : rounds.rounds)
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      if (small.contains(fleet.units[unit].block))
        for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
          round.at(metric, unit) = std::numeric_limits<double>::quiet_NaN();
  return lines;
}

}  // namespace assay::results
