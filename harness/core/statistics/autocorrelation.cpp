// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace assay::core {
namespace {

/// The sequence "sample <= threshold" as zeros and ones: sums of products become counts of coinciding ones,
/// which are exact and which a compiler vectorises.
class Indicators {
 public:
  Indicators(std::span<const double> samples, double threshold) : ones_(samples.size()) {
    std::ranges::transform(samples, ones_.begin(),
                           [&](double sample) { return static_cast<std::uint8_t>(sample <= threshold); });
    mean_ = count(ones_.begin(), ones_.end()) / static_cast<double>(ones_.size());
  }
  double variance() const { return mean_ * (1 - mean_); }

  /// With the unbiased divisor n - lag.
  double autocorrelation(std::size_t lag) const {
    const std::size_t pairs = ones_.size() - lag;
    std::uint32_t coinciding = 0;
    for (std::size_t i = 0; i < pairs; ++i) coinciding += ones_[i] & ones_[i + lag];
    const auto n = static_cast<double>(pairs);
    const double early = count(ones_.begin(), ones_.end() - static_cast<std::ptrdiff_t>(lag));
    const double late = count(ones_.begin() + static_cast<std::ptrdiff_t>(lag), ones_.end());
    return (coinciding - mean_ * (early + late) + n * mean_ * mean_) / n / variance();
  }

 private:
  using Iterator = std::vector<std::uint8_t>::const_iterator;
  static double count(Iterator from, Iterator to) { return std::accumulate(from, to, std::uint32_t{0}); }

  std::vector<std::uint8_t> ones_;
  double mean_ = 0;
};

}  // namespace

// Geyer's initial positive sequence (1992): sums of adjacent pairs of autocorrelations are positive for a
// reversible process, so summing stops at the first pair that is not. Independent samples fail that test by
// chance half the time; the first pair must therefore exceed the noise of its own estimate before anything is
// counted.
double autocorrelation_time(std::span<const double> samples, double threshold) {
  const std::size_t n = samples.size();
  if (n < 8) return 1;
  const Indicators indicators(samples, threshold);
  if (indicators.variance() <= 0) return 1;
  const std::size_t max_lag = std::min<std::size_t>(n / 4, 2000);
  // Centring on the sample's own mean lowers every estimate by about 1/n.
  const double bias = 1 / static_cast<double>(n);
  double tau = 1;
  for (std::size_t lag = 1; lag + 1 <= max_lag; lag += 2) {
    const double pair = indicators.autocorrelation(lag) + indicators.autocorrelation(lag + 1) + 2 * bias;
    if (pair <= (lag == 1 ? 1.0 / std::sqrt(static_cast<double>(n)) : 0.0)) break;
    tau += 2 * pair;
  }
  tau = 1 + (tau - 1) * (1 + 8 * tau / static_cast<double>(n));
  return std::clamp(tau, 1.0, static_cast<double>(n) / 4);
}

}  // namespace assay::core
