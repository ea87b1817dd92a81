// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One metric of one level judged: every place against the noise of that metric, over all of its runs and run
// by run.
// Whether more than a tenth of the places of one metric are unlike the rest, or are divided from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/fleet/fleet_noise.hpp"
#include "results/judge/fleet/place_scatter.hpp"

namespace assay::results {

/// Errors of one place in one metric.
struct CellErrors {
  double all_runs = 0, late_runs = 0;  // wrongly unlike its equals: over all its runs, over its last ones
  double site = 0;                     // wrongly beyond the site's margin
  double margin = 0;                   // wrongly beyond the margin, though exactly at it
  double side = 0;                     // of either end of its interval
};

/// A place that is unlike its equals, before its interval is compared with the margin: the first question is
/// shared by all places of the fleet, the second is of this one alone.
struct FleetCandidate {
  std::size_t place = 0, last_runs = 0;
};

class RowJudge {
 public:
  RowJudge(const FleetRules& rules, const CellErrors& errors, const SeriesRow& row, const MetricNoise& noise,
           PlaceScatter scatter);

  std::optional<FleetCandidate> candidate(std::size_t place) const;
  /// Whether all of its interval lies beyond the margin.
  bool is_above_margin(const FleetCandidate& candidate) const;
  /// Unlike its equals, and by less than the limit: shown by the same runs.
  bool is_within_limit(const FleetCandidate& candidate) const;
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
  PlaceScatter scatter_;
  std::size_t usual_runs_ = 0;
  double limit_ = 0, suspect_below_ = 0;
  double lasting_ = 0;                        // how far out sound places may lie by what lasts
  double side_score_ = 0, unlike_score_ = 0;  // of CellErrors::side and all_runs, above 0
  Detection detection_;
};

/// Each run of each place by itself: which were slower than the noise of that run explains. The noise is that
/// of the places that are with the core, in the quieter half of the runs, so that slow ones, as long as
/// they are fewer than half of the fleet or slow in fewer than half of the runs, do not widen their own
/// limit.
/// Noise is taken to fall at least as fast as that of Student's t with so many degrees of freedom.
inline constexpr double tail_degrees = 3;

class RunView {
 public:
  /// `margin`: a shift above 0; `error`: that a sound place has any run that is far off.
  RunView(const SeriesRow& row, const Core& core, double margin, double error);

  struct FarOff {
    std::vector<double> values = {};       // of runs that are far below those of its equals in the same run
    std::vector<std::size_t> rounds = {};  // of the values
    std::size_t sound_since = 0;           // runs after the last of them
    /// A single such run is cleared by sound ones after it; two are a habit.
    bool is_cleared() const {
      return values.empty() || (values.size() == 1 && sound_since >= runs_that_clear);
    }
    /// Sound runs that would clear it; nothing where none do.
    std::optional<std::int64_t> more_runs() const {
      if (values.size() > 1) return std::nullopt;
      return static_cast<std::int64_t>(runs_that_clear - sound_since);
    }
  };
  static constexpr std::size_t runs_that_clear = 3;
  FarOff far_off(std::size_t place) const;
  /// Values of all places in each run of the whole fleet, in order of size.
  std::span<const std::span<const double>> full_runs() const { return all_; }

 private:
  void sort_by_run(const Core& core);
  void learn(double error);
  double tail_of_few(double probability) const;
  double tail_of_many(double outer, double probability) const;
  double quiet_quantile(double probability) const;

  const SeriesRow& row_;
  double margin_;
  std::vector<std::span<const double>> all_, sound_;  // by run of the whole fleet; of places with the core
  std::vector<std::vector<double>> own_sound_;        // where they are not all
  std::vector<double> unrest_;                        // by run: its noise over the usual one, from 1
  double usual_ = 0;                                  // standard deviation within a run
  double far_ = 0;                                    // shift, above 0
};

/// Runs of this place that are far off in any of the views.
RunView::FarOff union_of_far_off(std::span<const RunView> views, std::size_t place);

/// Finds more than a tenth of the places unlike the rest: by their medians over their runs, else in one of
/// `full_runs`. Two halves have no rest that they could be unlike: the gap between them shows them. Level and
/// metric stay empty; `margin`: a shift above 0.
std::optional<FleetUnlike> unlike_in(const SeriesRow& row, const Core& core, double margin,
                                     std::span<const std::span<const double>> full_runs);

}  // namespace assay::results
