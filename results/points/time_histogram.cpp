// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/time_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace assay::results {

TimeHistogram time_histogram(const std::vector<double>& samples_s, std::size_t bins) {
  std::vector<double> usable;
  for (const double sample : samples_s)
    if (std::isfinite(sample) && sample > 0) usable.push_back(sample);
  if (usable.empty()) return {};
  const auto [low, high] = std::ranges::minmax(usable);
  if (low == high) bins = 1;
  const double span = std::log(high / low);
  TimeHistogram histogram;
  for (std::size_t i = 0; i < bins; ++i)
    histogram.edges_s.push_back(low * std::exp(span * static_cast<double>(i) / static_cast<double>(bins)));
  histogram.edges_s.push_back(high);
  histogram.counts.assign(bins, 0);
  for (const double sample : usable) {
    // Found among the very edges that are returned, so that no rounding puts a sample into another bin.
    const auto above = std::upper_bound(histogram.edges_s.begin(), histogram.edges_s.end() - 1, sample);
    ++histogram.counts[static_cast<std::size_t>(above - histogram.edges_s.begin()) - 1];
  }
  return histogram;
}

}  // namespace assay::results
