// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/shift_sample.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace assay::model::fabric {

namespace {

constexpr double normal_quantile = 1.959964;  // of 97.5 %

/// The first `count` of them, drawn.
void draw(std::vector<int>& distances, std::size_t count, std::mt19937_64& random) {
  for (std::size_t at = 0; at < count; ++at)
    std::swap(distances[at], distances[at + random() % (distances.size() - at)]);
  distances.resize(count);
  std::ranges::sort(distances);
}

}  // namespace

ShiftSample sample_shifts(int ranks, int size, const std::function<int(int distance)>& kind_of) {
  std::map<int, std::vector<int>> kinds;
  for (int distance = 1; distance < ranks; ++distance) kinds[kind_of(distance)].push_back(distance);
  ShiftSample sample;
  std::mt19937_64 random(1);
  for (auto& [kind, distances] : kinds) {
    const auto all = static_cast<int>(distances.size());
    const int share = static_cast<int>(std::lround(1.0 * size * all / (ranks - 1)));
    const int drawn = std::min(all, std::max(share, least_of_stratum));
    draw(distances, static_cast<std::size_t>(drawn), random);
    sample.strata.push_back({.all = all, .first = sample.shifts.size(), .drawn = distances.size()});
    for (const int distance : distances) sample.shifts.push_back({distance, 1.0 * all / drawn});
  }
  return sample;
}

double half_width_of_sum(std::span<const ShiftStratum> strata, std::span<const double> times) {
  double variance = 0;
  for (const ShiftStratum& one : strata) {
    if (one.drawn < 2) continue;
    const std::span<const double> own = times.subspan(one.first, one.drawn);
    const double mean = std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(one.drawn);
    double squares = 0;
    for (const double time : own) squares += (time - mean) * (time - mean);
    const auto drawn = static_cast<double>(one.drawn);
    variance += one.all * (one.all - drawn) * squares / (drawn - 1) / drawn;
  }
  return normal_quantile * std::sqrt(variance);
}

}  // namespace assay::model::fabric
