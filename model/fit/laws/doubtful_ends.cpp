// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/doubtful_ends.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

constexpr double tolerance_of_bounds = 0.2;  // of a logarithm

/// Whether the time from a size to its larger neighbour neither falls nor grows by more than the size does.
bool keeps_bounds(const TimedSize& smaller, const TimedSize& larger) {
  const double growth = std::log(larger.time_us / smaller.time_us);
  const double most = std::log(larger.size_bytes / smaller.size_bytes);
  return growth >= -tolerance_of_bounds && growth <= most + tolerance_of_bounds;
}

}  // namespace

std::vector<bool> doubtful_ends(const std::vector<TimedSize>& curve) {
  std::vector<bool> doubtful(curve.size());
  std::map<double, std::vector<double>> times;
  for (const TimedSize& point : curve) times[point.size_bytes].push_back(point.time_us);
  if (times.size() < 2) return doubtful;
  const auto median_at = [](const auto& at) {
    return TimedSize{at.first, core::quantile_of(at.second, 0.5)};
  };
  const double least = times.begin()->first, most = times.rbegin()->first;
  const TimedSize after_least = median_at(*std::next(times.begin()));
  const TimedSize before_most = median_at(*std::next(times.rbegin()));
  for (std::size_t i = 0; i < curve.size(); ++i)
    doubtful[i] = (curve[i].size_bytes == least && !keeps_bounds(curve[i], after_least)) ||
                  (curve[i].size_bytes == most && !keeps_bounds(before_most, curve[i]));
  return doubtful;
}

}  // namespace assay::model::fit
