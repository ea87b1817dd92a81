// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/stopping.hpp"

#include <algorithm>
#include <cmath>

namespace assay::core {
namespace {

constexpr std::int64_t fewest_samples = 3;  // what a budget that is too short still takes
constexpr double fewest_independent = 30;   // below this the autocorrelation time itself is not known
constexpr double normal_95_half_width = 1.959964;

}  // namespace

bool halves_differ(std::span<const double> samples, double quantile) {
  const std::size_t half = samples.size() / 2;
  if (half < 8) return false;
  const QuantileInterval early = quantile_interval(samples.first(half), quantile, 0.95);
  const QuantileInterval late = quantile_interval(samples.last(half), quantile, 0.95);
  const double error =
      std::hypot(early.upper - early.lower, late.upper - late.lower) / (2 * normal_95_half_width);
  return std::fabs(late.estimate - early.estimate) > 3.3 * error;
}

std::optional<StopReason> StoppingRule::look(std::span<const double> samples, double elapsed_s) {
  const auto n = static_cast<std::int64_t>(samples.size());
  interval_ = quantile_interval(samples, options_.quantile, options_.confidence);
  drifting_ = halves_differ(samples, options_.quantile);
  next_look_ = std::max(n + 1, n + n / 2);
  const bool narrow = interval_.bounded && interval_.n_effective >= fewest_independent &&
                      interval_.relative_width() <= options_.relative_width;
  if (narrow && !drifting_ && n >= options_.min_samples) return StopReason::interval;
  if (n >= options_.max_samples) return StopReason::samples;
  if (elapsed_s >= options_.max_seconds && n >= fewest_samples) return StopReason::budget;
  return std::nullopt;
}

void StoppingRule::restart(std::int64_t n) { next_look_ = std::max(options_.min_samples, n + n / 2); }

}  // namespace assay::core
