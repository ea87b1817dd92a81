// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the runs of one place show of its loss, by scores: how improbable a sound one is to be as slow, and an
// interval for the loss.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "results/judge/fleet_noise.hpp"

namespace assay::results {

/// How scores of several runs are joined. The sum is best where noise is normal; the least bad run is where
/// it has heavy tails or is skewed, and runs are few.
enum class Joined { sum, least_bad };

/// The last runs of a place under the noise of its metric.
class PlaceEvidence {
 public:
  PlaceEvidence(const MetricNoise& noise, const PlaceSeries& series, std::size_t last)
      : noise_(noise), series_(series), from_(series.values.size() - std::min(last, series.values.size())) {}

  std::size_t runs() const { return series_.values.size() - from_; }
  /// Median of its runs; below 0 is slower.
  double standing() const;
  /// Sum of the scores over the root of their number, were the place by `shift` off its equals: standard
  /// normal.
  double joined_score(double shift) const;
  /// Probability of runs as slow as these, were the place by `shift` off.
  double as_slow(Joined how, double shift) const;
  /// Probability that a place as good as the others, which spread by what lasts, is as slow as this.
  double as_slow_as_sound(Joined how) const;
  /// The shift at which joined_score() is `score`; nothing where there are no runs.
  std::optional<double> shift_of(double score) const;

 private:
  double worst_lasting(Joined how, const MetricNoise& noise) const;

  const MetricNoise& noise_;
  const PlaceSeries& series_;
  std::size_t from_;
};

/// The loss that `runs` runs show at this error in nine of ten cases, and the better way to join them.
struct Detection {
  Joined how = Joined::sum;
  double loss = 0;
};
Detection detection_of(const MetricNoise& noise, std::size_t runs, double error);

/// Standard deviations beyond which no sound place lies by what lasts.
double lasting_reach(double degrees);

/// How far out sound places may lie by what lasts, at this error.
double lasting_limit(const MetricNoise& noise, double error);

}  // namespace assay::results
