// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One fault, one name: what the place above, the units below or the whole group of metrics explains is not
// reported again, nor is one bad run that sound ones clear.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_effects.hpp"
#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {

struct AttributedFinding {
  FleetFinding finding;
  std::string group;
  const FleetPart* part = nullptr;
  const LevelParts* level = nullptr;
  std::size_t place = 0;
};

/// Faults first, the largest first. `units`: all units against all of the fleet, every metric.
std::vector<FleetFinding> attributed(const std::vector<AttributedFinding>& found, const FleetPart& units,
                                     double margin);

/// Bad runs that sound ones clear, metric by metric. One such run is cleared. Two of the same place are a
/// habit, though each is of another metric or view.
class ClearedRuns {
 public:
  void add(std::size_t place, const std::vector<std::size_t>& rounds, AttributedFinding finding);
  /// Findings of places with two bad runs and more: no number of sound runs clears them.
  std::vector<AttributedFinding> habits() const;

 private:
  std::map<std::size_t, std::pair<std::set<std::size_t>, std::vector<AttributedFinding>>> places_;
};

}  // namespace assay::results
