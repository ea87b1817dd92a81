// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/drift_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/core/statistics.hpp"
#include "results/judge/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr std::array shapes{DriftShape{},        DriftShape{1.0 / 6}, DriftShape{1.0 / 4},
                            DriftShape{1.0 / 3}, DriftShape{1.0 / 2}, DriftShape{2.0 / 3},
                            DriftShape{3.0 / 4}, DriftShape{5.0 / 6}};

/// Of consecutive blocks, as equal in length as can be.
std::vector<double> block_medians(std::span<const double> values, std::size_t blocks) {
  std::vector<double> medians;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * values.size() / blocks, end = (block + 1) * values.size() / blocks;
    medians.push_back(core::quantile_of(values.subspan(begin, end - begin), 0.5));
  }
  return medians;
}

/// Movements over the whole series that pairs of its values show, were the shape this one.
std::vector<double> movements(std::span<const double> values, const DriftShape& shape) {
  std::vector<double> moved;
  const std::size_t n = values.size();
  if (shape.step_at) {
    const std::size_t boundary =
        static_cast<std::size_t>(std::lround(*shape.step_at * static_cast<double>(n)));
    for (std::size_t i = 0; i < boundary; ++i)
      for (std::size_t j = boundary; j < n; ++j) moved.push_back(values[j] - values[i]);
    return moved;
  }
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i)
      moved.push_back((values[j] - values[i]) * static_cast<double>(n) / static_cast<double>(j - i));
  return moved;
}

/// Of the number of movements above none less those below, if neighbours are independent and nothing moves:
/// Kendall's (1975), and Mann and Whitney's.
double deviation_of_signs(std::size_t blocks, std::size_t pairs, const DriftShape& shape) {
  const auto n = static_cast<double>(blocks), of = static_cast<double>(pairs);
  return std::sqrt(shape.step_at ? of * (n + 1) / 3 : n * (n - 1) * (2 * n + 5) / 18);
}

double at_rank(std::vector<double>& values, std::size_t rank) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
  return values[rank];
}

/// Blocks before the first step, and before the last.
std::pair<std::size_t, std::size_t> boundaries(std::size_t blocks) {
  return {(blocks + 5) / 6, blocks * 5 / 6};
}

double median_of(std::span<const double> values) { return core::quantile_of(values, 0.5); }

/// By how much the values move, were the shape this one.
double movement_of(std::span<const double> values, const DriftShape& shape) {
  if (!shape.step_at) {
    std::vector<double> moved = movements(values, shape);
    return at_rank(moved, moved.size() / 2);
  }
  const auto boundary =
      static_cast<std::size_t>(std::lround(*shape.step_at * static_cast<double>(values.size())));
  return median_of(values.subspan(boundary)) - median_of(values.first(boundary));
}

/// Less this movement and their median.
std::vector<double> without(std::span<const double> values, const DriftShape& shape, double movement) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    const double part = shape.step_at ? (place > *shape.step_at ? 1 : 0) : place;
    rest.push_back(values[i] - movement * part);
  }
  const double middle = median_of(rest);
  for (double& one : rest) one -= middle;
  return rest;
}

DriftShape best_shape_of(std::span<const double> blocks) {
  DriftShape best;
  double least = HUGE_VAL;
  const auto consider = [&](const DriftShape& shape) {
    double sum = 0;
    for (const double one : without(blocks, shape, movement_of(blocks, shape))) sum += std::abs(one);
    if (sum < least) best = shape;
    least = std::min(least, sum);
  };
  consider({});
  const auto [first, last] = boundaries(blocks.size());
  for (std::size_t boundary = first; boundary <= last; ++boundary)
    consider({static_cast<double>(boundary) / static_cast<double>(blocks.size())});
  return best;
}

/// Less the shape that leaves least, and no further out than three standard deviations: neither a step nor a
/// wild sample says how long the others are correlated.
std::vector<double> residuals_of(std::span<const double> values) {
  const std::vector<double> blocks = block_medians(values, std::min(values.size(), DriftBlocks::most));
  const DriftShape best = best_shape_of(blocks);
  std::vector<double> rest = without(values, best, movement_of(blocks, best)), distances;
  for (const double one : rest) distances.push_back(std::abs(one));
  const double most = 3 * sd_of_median_distance * median_of(distances);
  for (double& one : rest) one = std::clamp(one, -most, most);
  return rest;
}

/// 1 + 2 sums of autocorrelations, pair by pair (Geyer 1992, Stat. Sci. 7) while those are larger than those
/// of independent samples are by chance. Stops where blocks would be too few anyway.
double correlation_time_of(std::span<const double> residuals) {
  const double by_chance = 1.5 / std::sqrt(static_cast<double>(residuals.size()));
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < residuals.size(); ++i) sum += residuals[i] * residuals[i - lag];
    return sum;
  };
  const double variance = covariance(0);
  if (!(variance > 0) || covariance(1) / variance <= by_chance) return 1;
  double time = 1 + 2 * covariance(1) / variance;
  for (std::size_t lag = 2; lag + 1 < residuals.size() / 4; lag += 2) {
    const double pair = (covariance(lag) + covariance(lag + 1)) / variance;
    if (pair <= by_chance * std::sqrt(2.0)) break;
    time += 2 * pair;
  }
  return time;
}

}  // namespace

std::string DriftShape::where() const {
  return step_at ? fmt::format("at {:.0f} % of the run", 100 * *step_at) : "over the run";
}

std::span<const DriftShape> usual_drift_shapes() { return shapes; }

DriftBlocks::DriftBlocks(std::span<const double> times_s) {
  if (times_s.size() < fewest) return;
  correlation_time_ = correlation_time_of(residuals_of(times_s));
  const auto samples = static_cast<double>(times_s.size());
  const std::size_t blocks = std::min(most, static_cast<std::size_t>(samples / correlation_time_));
  if (blocks < fewest) return;
  medians_ = block_medians(times_s, blocks);
  level_ = core::quantile_of(times_s, 0.5);
  // Neighbours are still correlated, by the r of medians of blocks of an autoregressive series.
  const double length = samples / static_cast<double>(blocks);
  const double r = (correlation_time_ * correlation_time_ - 1) / (4 * correlation_time_ * length);
  widening_ = std::sqrt((1 + r) / (1 - r));
}

DriftShape DriftBlocks::best() const { return best_shape_of(medians_); }

std::size_t DriftBlocks::choices() const {
  const auto [first, last] = boundaries(medians_.size());
  return last - first + 2;
}

DriftInterval DriftBlocks::interval(const DriftShape& shape, double error) const {
  std::vector<double> moved = movements(medians_, shape);
  DriftInterval interval;
  if (moved.empty()) return interval;
  interval.value = core::quantile_of(moved, 0.5) / level_;
  const double signs =
      normal_quantile(1 - error) * widening_ * deviation_of_signs(medians_.size(), moved.size(), shape);
  const double rank = std::floor((static_cast<double>(moved.size()) - signs) / 2);
  if (rank < 1) return interval;
  const auto outermost = static_cast<std::size_t>(rank) - 1;
  interval.lower = at_rank(moved, outermost) / level_;
  interval.upper = at_rank(moved, moved.size() - 1 - outermost) / level_;
  return interval;
}

}  // namespace assay::results
