// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Statistics that neither wild values nor the shape of the noise can mislead. Middle and spread of values of
// which up to half may be anything: by the shortest interval that holds half of them, so that neither the
// slow nor the fast side can push the other's limit. How far out a value is among noise of unknown shape: the
// normal score of its rank in a sample of that noise. Sums of such scores are normal under heavy tails and
// skew alike, and one wild value counts little more than its rank in the sample.
#pragma once

#include <span>
#include <vector>

namespace assay::results {

/// The upper quartile of normal noise, in standard deviations: half of it is closer to the middle; and how
/// many of these median distances a standard deviation is.
inline constexpr double normal_upper_quartile = 0.6745, sd_of_median_distance = 1.4826;

/// core::quantile_of() of values that are in order.
double quantile_of_sorted(std::span<const double> sorted, double q);

struct Core {
  double centre = 0;
  double deviation = 0;  // standard deviation, were the core that of a normal distribution; never 0
};

/// No NaN among the values.
Core core_of(std::vector<double> values);
/// As core_of(), for values that are in order.
Core core_of_sorted(std::span<const double> sorted);

class NormalScores {
 public:
  NormalScores() = default;
  /// Not empty, in any order, without NaN.
  explicit NormalScores(std::vector<double> sample);
  /// As the constructor, from a sample that is in order.
  static NormalScores of_sorted(std::span<const double> sample);

  /// Within -8 and 8. Beyond the sample, by a tail as heavy as that of Student's t with three degrees of
  /// freedom.
  double operator()(double value) const;
  /// The value of this score.
  double value_at(double score) const;
  /// Score of the outermost of the sample.
  double bound() const { return bound_; }

 private:
  /// How far out a value is that is beyond the outermost.
  double beyond(double value, double outermost) const;
  void learn(std::span<const double> sorted);

  std::vector<double> knots_;   // values at even steps of the score
  std::vector<double> beyond_;  // scores at even steps of the logarithm of how far beyond the outermost
  double bound_ = 0, step_ = 1;
};

}  // namespace assay::results
