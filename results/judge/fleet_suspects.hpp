// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who is to be measured again, and who failed. A first look can only name suspects: among a million values
// chance alone leaves thousands far out. Only what fresh measurements of a suspect confirm is a fault.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/judge/fleet_deviations.hpp"

namespace assay::results {

struct FleetRules {
  double most_suspects = 0.03;  // share of the places of a level that a metric sends to a second look
  double margin = 0.015;        // a confirmed relative loss below this is no fault
  /// Likewise of what a place has in common over a group of metrics, in robust standard deviations of its
  /// equals: silicon and time of day spread, and are no faults.
  double spread = 6;
  double family_error = 0.01;  // probability that a sound fleet has any confirmed fault at all
};

struct Suspect {
  std::string level, place, metric;
  double deviation = 0;  // of the first look
  double threshold = 0;  // it is below
  double margin = 0;     // loss that a second look must show for a fault
};

/// Fewer equals than these cannot be held against each other.
inline constexpr std::size_t least_equals = 8;

/// What the first look at one metric of one level could see.
struct FirstLook {
  std::string level, metric;
  std::int64_t places = 0, suspects = 0;
  double threshold = 0;
  double seen = 0;  // loss that comes to a second look in 99 of 100 cases
};

struct FleetSuspects {
  std::vector<Suspect> suspects;  // the worst first
  std::vector<FirstLook> looks;
  std::vector<std::string> too_few;       // "node: 2 places": levels nothing can be said of
  std::vector<std::string> small_blocks;  // "H100 PCIe: 3 units": units without enough equals
};

/// Units, and every level of the fleet, by metric and by what a group has in common.
FleetSuspects first_look(const Fleet& fleet, const FleetRules& rules);

struct Confirmed {
  Suspect suspect;
  double deviation = 0;  // mean of the fresh measurements
  double at_least = 0;   // loss that they show, at the fleet's error; above the margin
  bool fault = false;
  std::int64_t measurements = 0;
};

/// Fresh deviations of a suspect from its equals, measured beside a partner known to be sound. None of the
/// values of the first look may be among them: that one was chosen for being low.
struct Retest {
  Suspect suspect;
  std::vector<double> deviations;
};

/// The fresh deviations of each suspect, from fleets of the same units and metrics: one a measurement, NaN
/// where none was made. A suspect nobody measured again has none.
std::vector<Retest> retests_of(const Fleet& first, std::span<const Fleet> again,
                               std::span<const Suspect> suspects);

/// One for each retest, faults first. The noise of a measurement is pooled over all retests of a level, the
/// error over all suspects (Bonferroni). A suspect with fewer than two values is left out: it is not judged.
std::vector<Confirmed> confirm(std::span<const Retest> retests, const FleetRules& rules);

}  // namespace assay::results
