// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One fault, one name: what the place above, the units below or the whole group of metrics explains is not
// told again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/judge/fleet_effects.hpp"
#include "results/judge/fleet_judgement.hpp"

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

}  // namespace assay::results
