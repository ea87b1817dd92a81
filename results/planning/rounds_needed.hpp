// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many rounds decide about a fleet, by judging simulated ones with the judge of `assay accept`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/planning/planned_fleet.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct PlanningRules {
  double power = 0.9;  // share of fleets that the rounds have to decide
  double loss = 0.03;  // of the slow unit
  int fleets = 40;     // simulated of each kind, for each number of rounds
  int most_rounds = 60;
  std::uint64_t seed = 1;
};

struct Share {
  int count = 0, of = 0;

  void add(bool counts) { count += counts ? 1 : 0, ++of; }
  double value() const { return of == 0 ? 0 : static_cast<double>(count) / of; }
};

struct TriedRounds {
  int rounds = 0;
  Share sound_passes;  // sound fleets that pass
  Share slow_fails;    // fleets with a slow unit that fail by this unit
  Share slow_passes;   // and that pass in spite of it
};

struct RoundsNeeded {
  std::vector<TriedRounds> tried;  // ascending; of hopeless numbers of rounds fewer fleets are simulated
  std::optional<int> rounds = {};  // the fewest tried that decide; nothing up to most_rounds
};

using Tried = std::function<void(int rounds)>;  // called before each number of rounds

/// Tries 3 rounds and more. Throws std::runtime_error where the loss is not above the margin: such a unit
/// need not fail.
RoundsNeeded rounds_needed(const PlannedFleet& planned, const FleetRules& rules,
                           const PlanningRules& planning, const Tried& tried = {});

/// A row for each number tried. `minutes_per_round`: for a column of minutes.
Table to_table(const RoundsNeeded& needed, const PlannedFleet& planned, const FleetRules& rules,
               const PlanningRules& planning, std::optional<double> minutes_per_round);

}  // namespace assay::results
