// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::core {
namespace {

/// Autocorrelation of centred values at a lag, with the unbiased divisor n - lag.
double at_lag(const std::vector<float>& centred, std::size_t lag, double variance) {
  double sum = 0;
  for (std::size_t i = lag; i < centred.size(); ++i) sum += centred[i] * centred[i - lag];
  return sum / static_cast<double>(centred.size() - lag) / variance;
}

}  // namespace

// Geyer's initial positive sequence (1992): sums of adjacent pairs of autocorrelations are positive for a
// reversible process, so summing stops at the first pair that is not. Independent samples fail that test by
// chance half the time; the first pair must therefore exceed the noise of its own estimate before anything is
// counted.
double autocorrelation_time(std::span<const double> samples, double threshold) {
  const std::size_t n = samples.size();
  if (n < 8) return 1;
  const auto below =
      static_cast<double>(std::ranges::count_if(samples, [&](double sample) { return sample <= threshold; }));
  const double mean = below / static_cast<double>(n);
  const double variance = mean * (1 - mean);
  if (variance <= 0) return 1;
  std::vector<float> centred(n);
  std::ranges::transform(samples, centred.begin(), [&](double sample) {
    return static_cast<float>((sample <= threshold ? 1.0 : 0.0) - mean);
  });
  const std::size_t max_lag = std::min<std::size_t>(n / 4, 2000);
  // Centring on the sample's own mean lowers every estimate by about 1/n.
  const double bias = 1 / static_cast<double>(n);
  double tau = 1;
  for (std::size_t lag = 1; lag + 1 <= max_lag; lag += 2) {
    const double pair = at_lag(centred, lag, variance) + at_lag(centred, lag + 1, variance) + 2 * bias;
    if (pair <= (lag == 1 ? 1.0 / std::sqrt(static_cast<double>(n)) : 0.0)) break;
    tau += 2 * pair;
  }
  tau = 1 + (tau - 1) * (1 + 8 * tau / static_cast<double>(n));
  return std::clamp(tau, 1.0, static_cast<double>(n) / 4);
}

}  // namespace assay::core
