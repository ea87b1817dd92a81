// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A place's own noise, where it is more than that of its equals: a place that scatters is not slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/judge/fleet_noise.hpp"
#include "results/judge/place_series.hpp"

namespace assay::results {

/// A variance over the runs of a place, by scores of the fleet's noise, which are standard normal where all
/// places have one noise: from successive differences (von Neumann et al. 1941), which a lasting loss leaves
/// as they are, and without the largest of them where that is less, since a step is not noise.
struct PlaceVariance {
  double value = 1, degrees = 0;  // degrees of freedom; 0: of fewer than two runs
};
using PlaceVariances = std::vector<PlaceVariance>;  // by place

PlaceVariances variances_of(const SeriesRow& row, const MetricNoise& noise);
/// Of all metrics of each place together. `rows` and `noise` are theirs.
PlaceVariances joined_variances(const std::vector<PlaceVariances>& metrics, std::span<const SeriesRow> rows,
                                std::span<const MetricNoise> noise);

/// The noise of a place in one metric counts where it is shown to be above that of its equals, in this metric
/// or in all; where variances differ among places by more than chance explains, each is moderated by all
/// (Smyth 2004).
class PlaceScatter {
 public:
  PlaceScatter() = default;
  PlaceScatter(const PlaceVariances& metric, const PlaceVariances& all_metrics);

  /// Of a loss as great as that of a place, by its score (PlaceEvidence): what the probability is under its
  /// own noise.
  double probability(std::size_t place, double of_score) const;
  /// The joined score that is worth `score`.
  double joined(std::size_t place, double score) const;

 private:
  struct Own {
    std::uint32_t place = 0;
    float deviation = 1;  // over the usual one, from 1
    float degrees = 0;    // of freedom of it
  };
  const Own* find(std::size_t place) const;

  std::vector<Own> own_;  // of places whose noise is not the usual one, in their order
};

}  // namespace assay::results
