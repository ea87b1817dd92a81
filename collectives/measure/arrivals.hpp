// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The figures that each rank reports of a point once it is sampled, and the metrics of all ranks together:
// IMB's own figures next to assay's, and who came late.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

struct RankFigures {
  int group = 0;  // which of the point's
  std::int64_t iterations = 0;
  double seconds = 0;  // of all iterations, on this rank
  double clock_uncertainty_s = 0;
  std::int64_t bytes_inside = 0;          // sent to ranks of the same node, one iteration
  std::int64_t bytes_across = 0;          // to other nodes
  std::vector<double> entries_s = {};     // when it began the first iterations, by rank 0's clock
  std::vector<double> durations_s = {};   // of those; empty unless asked for
  std::vector<double> phase_ends_s = {};  // of each, phase by phase, from its entry; empty without phases
};

/// A rank's figures in each group it is in.
std::string to_text(const std::vector<RankFigures>& figures);
/// Throws core::Error (team) on a text of another form.
std::vector<RankFigures> rank_figures_from(const std::string& text);

/// `by_rank` has at least one rank. Skew is of the iterations that all ranks kept.
std::vector<core::Metric> metrics_of(const std::vector<RankFigures>& by_rank);
/// The rank that most often was the last to begin, and how often. `ranks`: what each is called.
std::vector<core::Fact> latest_of(const std::vector<RankFigures>& by_rank, const std::vector<int>& ranks);

/// Metrics of each group: "group0_time_us", the median of its slowest rank's times, and
/// "group0_arrival_skew_us"; then the slowest group's time over the fastest's. `by_group`: each group's
/// ranks.
std::vector<core::Metric> group_metrics(const std::vector<std::vector<RankFigures>>& by_group);

/// "phase1_inside_us", "phase2_across_us": medians over iterations, from the moment that all ranks have ended
/// the phase before (for the first: have begun) until all have ended this one. They sum to the time after the
/// last rank's arrival.
void add_phases(std::vector<core::Metric>& metrics, const std::vector<RankFigures>& by_rank,
                const std::vector<std::string_view>& phases);

/// Bytes that all groups together send in one iteration, inside nodes and across.
void add_tiers(std::vector<core::Metric>& metrics, const std::vector<std::vector<RankFigures>>& by_group);

}  // namespace assay::collectives
