// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/slow_ranks.hpp"

#include <cmath>

namespace assay::model::reliability {
namespace {

constexpr double least = -10, most = 10;  // standard deviations beyond which nothing is counted
constexpr int steps = 20'000;

/// ln of the standard normal distribution function.
double log_normal(double x) { return std::log(std::erfc(-x / std::sqrt(2.0)) / 2); }

/// The mean of a variable whose distribution function has this logarithm, is 0 below `least` and 1 above
/// `upper`: by Simpson's rule.
template <class LogDistribution>
double mean_of(LogDistribution log_distribution, double upper) {
  const double width = (upper - least) / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i)
    sum += std::exp(log_distribution(least + i * width)) * (i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4);
  return upper - sum * width / 3;
}

}  // namespace

double expected_largest_normal(double ranks) {
  return mean_of([ranks](double x) { return ranks * log_normal(x); }, most);
}

double step_slowdown(double ranks, double spread, double slower) {
  if (spread <= 0) return 1 + slower;
  // In standard deviations of a sound rank. The slow one's spread is longer too.
  const double shift = slower / spread, factor = 1 + slower;
  const auto log_distribution = [=](double x) {
    return (ranks - 1) * log_normal(x) + log_normal((x - shift) / factor);
  };
  return 1 + spread * mean_of(log_distribution, shift + most * factor);
}

}  // namespace assay::model::reliability
