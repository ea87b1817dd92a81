// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A place's own noise, where it is more than that of its equals: a place that scatters is not slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/judge/fleet/fleet_noise.hpp"
#include "results/judge/fleet/place_series.hpp"

namespace assay::results {

/// The places of one metric whose noise over the runs is shown to be more than the usual one.
class PlaceScatter {
 public:
  /// `deviation` over the usual one, from 1, and its degrees of freedom; places in rising order.
  void add(std::size_t place, double deviation, double degrees);

  /// The probability of a place's score (PlaceEvidence) under its own noise; `of_score`: under the usual one.
  double probability(std::size_t place, double of_score) const;
  /// The joined score that is worth `score`.
  double joined(std::size_t place, double score) const;

 private:
  struct Own {
    std::uint32_t place = 0;
    float deviation = 1, degrees = 0;
  };
  const Own* find(std::size_t place) const;

  std::vector<Own> own_;
};

/// A variance over the runs of a place, by scores of the fleet's noise, which are standard normal where all
/// places have one noise: from successive differences (von Neumann et al. 1941), which a lasting loss leaves
/// as they are, and without the largest of them where that is less, since a step is not noise.
struct PlaceVariance {
  double value = 1, degrees = 0;  // degrees of freedom; 0: of fewer than two runs
};
using PlaceVariances = std::vector<PlaceVariance>;  // by place

struct PlaceScatters {
  std::vector<PlaceScatter> of_metric;
  PlaceVariances joined;  // of all metrics together
};

/// For each metric of one part. A place's noise counts where it is shown to be above that of its equals, in
/// this metric, in all together or in `elsewhere` (joined, of another part of its level that has more
/// metrics); where more places are noisy than chance explains, each is moderated by all (Smyth 2004).
PlaceScatters place_scatters(std::span<const SeriesRow> rows, std::span<const MetricNoise> noise,
                             const PlaceVariances& elsewhere = {});

}  // namespace assay::results
