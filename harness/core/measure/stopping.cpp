// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/statistics/root_sum_of_squares.hpp"

namespace assay::core {
namespace {

constexpr std::int64_t fewest_samples = 3;  // what a budget that is too short still takes
constexpr double fewest_independent = 100;  // below this the autocorrelation time itself is not known
constexpr std::int64_t dense_looks = 1000;  // beyond, samples double between looks: a look costs time
constexpr double normal_95_half_width = 1.959964;

}  // namespace

double trend_of(const QuantileInterval& early, const QuantileInterval& late) {
  const double error =
      root_sum_of_squares(early.upper - early.lower, late.upper - late.lower) / (2 * normal_95_half_width);
  const double difference = std::fabs(late.estimate - early.estimate);
  if (difference == 0) return 0;
  return error > 0 ? difference / error : std::numeric_limits<double>::infinity();
}

bool drifts(std::span<const double> samples, double quantile) {
  const std::size_t half = samples.size() / 2;
  if (half < fewest_to_compare) return false;
  return trend_of(quantile_interval(samples.first(half), quantile, 0.95),
                  quantile_interval(samples.last(half), quantile, 0.95)) > certain_trend;
}

std::optional<StopReason> StoppingRule::look(std::span<const double> samples, double elapsed_s) {
  const auto n = static_cast<std::int64_t>(samples.size());
  interval_ = quantile_interval(samples, options_.quantile, options_.confidence);
  next_look_ = n + std::max<std::int64_t>(1, n < dense_looks ? n / 2 : n);
  const bool narrow = interval_.bounded && interval_.n_effective >= fewest_independent &&
                      interval_.relative_width() <= options_.relative_width;
  if (narrow && !still_moves_ && n >= options_.min_samples && !drifts(samples, options_.quantile))
    return StopReason::interval;
  if (n >= options_.max_samples) return StopReason::samples;
  if (elapsed_s >= options_.max_seconds && n >= fewest_samples) return StopReason::budget;
  return std::nullopt;
}

}  // namespace assay::core
