// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fleet accepted or not: points that failed, units that are slower than their equals, and what nobody
// measured.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet_store.hpp"
#include "results/judge/fleet_suspects.hpp"
#include "results/judge/verdicts.hpp"
#include "results/table.hpp"

namespace assay::results {

enum class Acceptance { accepted, refused, undecided };

struct FleetAcceptance {
  std::string unit_level;
  std::string origin;  // "measured", or what the values are else
  FleetRules rules;
  std::size_t units = 0, metrics = 0;
  FleetSuspects looked;
  std::vector<Confirmed> confirmed;  // faults and those cleared by a second look
  std::vector<Suspect> waiting;      // for two fresh measurements at least
  std::vector<FailedPoint> failed;
  std::vector<std::string> missing;
  std::size_t together = 0;  // points left out: measured in a burn-in's rounds together

  /// refused for a confirmed fault or a point that failed; else undecided while a suspect waits, a unit lacks
  /// a metric, there are too few equals, or nothing was held against anything; else accepted.
  Acceptance verdict() const;
};

FleetAcceptance accept(const MeasuredFleet& measured, const FleetRules& rules);

/// What stands against the fleet, the gravest first, and in the notes what the first look could see.
Table to_table(const FleetAcceptance& acceptance);

/// A row for each point that failed, suspect, and unit that lacks something, and for each metric and level
/// one of all the others, with what its first look could see.
Verdicts verdicts_of(const FleetAcceptance& acceptance);

std::string_view to_string(Acceptance verdict);
/// 0.0123 is "1.23 %".
std::string percent_text(double fraction);

}  // namespace assay::results
