// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One metric of one level judged: every place against the noise of that metric.
#pragma once

#include <vector>

#include "results/judge/fleet_evidence.hpp"
#include "results/judge/fleet_judgement.hpp"

namespace assay::results {

/// Errors of one place in one metric.
struct CellErrors {
  double all_runs = 0, late_runs = 0;  // wrongly unlike its equals: over all its runs, over its last ones
  double site = 0;                     // wrongly beyond the site's margin
  double side = 0;                     // of either end of its interval
};

/// A place that is unlike its equals, before its interval is held against the margin: the first question is
/// shared by all places of the fleet, the second is of this one alone.
struct FleetCandidate {
  std::size_t place = 0, last_runs = 0;
};

class RowJudge {
 public:
  RowJudge(const FleetRules& rules, const CellErrors& errors, const SeriesRow& row, const MetricNoise& noise);

  std::optional<FleetCandidate> candidate(std::size_t place) const;
  /// Whether all of its interval lies beyond the margin.
  bool is_above_margin(const FleetCandidate& candidate) const;
  bool is_suspect(std::size_t place) const;
  bool is_shown_below(std::size_t place) const;
  bool is_beyond(std::size_t place, double site_margin) const;
  bool is_shown_within(std::size_t place, double site_margin) const;

  std::optional<std::int64_t> more_runs(std::size_t place) const;
  FleetFinding finding(FindingKind kind, std::size_t place, std::size_t last_runs, double error) const;

  double limit() const { return limit_; }  // shift, above 0
  /// Whether it is faster than sound places are, by all its runs.
  bool is_too_fast(std::size_t place) const;
  const Detection& detection() const { return detection_; }
  std::size_t usual_runs() const { return usual_runs_; }

 private:
  const FleetRules& rules_;
  CellErrors errors_;
  const SeriesRow& row_;
  const MetricNoise& noise_;
  std::size_t usual_runs_ = 0;
  double limit_ = 0, suspect_below_ = 0;
  double lasting_ = 0;                        // how far out sound places may lie by what lasts
  double side_score_ = 0, unlike_score_ = 0;  // of CellErrors::side and all_runs, above 0
  Detection detection_;
};

}  // namespace assay::results
