// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units, nodes, switches and rails as places that are compared with their equals, in several ways: with all
// of the fleet, with their neighbours on the same hosts (which takes out what node, rack or hour did to all
// of them), and each of these less what the other metrics show too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/fleet/fleet_rounds.hpp"

namespace assay::results {

/// Places of a level from which on several threads judge it.
inline constexpr std::size_t worth_threads = 500;

/// The places of one level of a fleet, or its units.
struct FleetLevel {
  std::string name = {};
  std::vector<std::string> places = {};
  std::vector<std::vector<std::size_t>> members = {};  // units of each place
};

/// One way to look at all metrics of one level.
struct FleetPart {
  bool beside = false;                    // with its neighbours on the same hosts, not all of the fleet
  bool common = false;                    // groups of metrics instead of metrics
  std::vector<std::string> metrics = {};  // or "all of gemm"
  std::vector<std::string> groups = {};   // of each metric
  std::vector<Deviations> rounds = {};
};

/// Places of one level on the same hosts.
using Siblings = std::vector<std::vector<std::size_t>>;

struct LevelParts {
  FleetLevel level;
  Siblings siblings = {};
  std::vector<FleetPart> cells = {};  // ways to look at the same metrics, the first against all of the fleet
  std::vector<FleetPart> commons = {};  // the same of what groups of metrics have in common
};

/// Units first, then the levels of the fleet in their order. Levels with too few places have no parts.
std::vector<LevelParts> parts_of(const Fleet& fleet, const FleetRounds& rounds);

}  // namespace assay::results
