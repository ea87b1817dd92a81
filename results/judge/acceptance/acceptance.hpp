// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fleet accepted or not: points that failed, units that are shown to be slower than their equals, units
// that are not yet shown to be as fast, and what was not measured.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/series/fleet_store.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/digests.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct FleetAcceptance {
  MeasuredFleet measured;
  FleetRules rules;
  FleetJudgement judged;
  /// Shown to be slower than equals under a burn-in's other load, by more than the site tolerates.
  std::vector<FleetFinding> slow_under_load = {};
  /// Limits judge every point, so that units with too few equals are excused.
  bool has_limits = false;

  /// Fails for a fault or a point that failed; passes where every unit is shown to be within its margin.
  Verdict verdict() const;
};

FleetAcceptance accept(MeasuredFleet measured, const FleetRules& rules);

/// The findings against the fleet, the worst first. The notes report how many more runs would decide the
/// rest.
Table to_table(const FleetAcceptance& acceptance);

/// A row for each point that failed, fault, suspect, and unit that lacks something, and for each metric and
/// level one of all the others, with how many are shown to be within the margin.
Verdicts verdicts_of(const FleetAcceptance& acceptance);

/// The judgement of digests: a unit whose results differ in a bit from those of two agreeing equals fails.
struct DigestFindings {
  std::vector<FleetIssue> faults;  // units that differ from agreeing equals, or from themselves
  /// Units without a digest or equals, and points whose equals, though enough, have no majority.
  std::vector<FleetIssue> undecided;
};

/// Groups of units of this level. Too few equals are neither.
DigestFindings judge_digests(const std::vector<DigestGroup>& groups, const std::string& unit_level);

/// Judges every probe of silent corruption in the store: faults join the failed points of their fleet,
/// undecided ones its missing points.
void add_digest_findings(const Store& store, std::vector<MeasuredFleet>& fleets);

/// "3 points do not count: its link was not sound: lossy"
std::string doubt_text(const FleetIssue& doubted);
/// "9 of 16 hosts are unlike the rest in memory.host.copy, 9 of them slower"
std::string unlike_text(const FleetUnlike& unlike);
/// "5.1 to 5.3 % faster than its equals in all of its 4 points"
std::string clock_text(const FleetClock& clock);
/// 0.0123 is "1.23 %".
std::string percent_text(double fraction);
/// "5.02 % slower than its equals in 5 runs, at least 3.90 %"
std::string finding_text(const FleetFinding& finding);
/// "about 12 more runs would decide", or that no number of runs is in sight.
std::string more_runs_text(const std::optional<std::int64_t>& more);

}  // namespace assay::results
