// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/drift_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr std::array shapes{DriftShape{},        DriftShape{1.0 / 6}, DriftShape{1.0 / 4},
                            DriftShape{1.0 / 3}, DriftShape{1.0 / 2}, DriftShape{2.0 / 3},
                            DriftShape{3.0 / 4}, DriftShape{5.0 / 6}};

double median_of(std::span<const double> values) { return core::quantile_of(values, 0.5); }

/// Medians of consecutive blocks, as equal in length as can be.
std::vector<double> block_medians(std::span<const double> values, std::size_t blocks) {
  std::vector<double> medians;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * values.size() / blocks, end = (block + 1) * values.size() / blocks;
    medians.push_back(median_of(values.subspan(begin, end - begin)));
  }
  return medians;
}

/// Values before a step. Shapes hold shares, so that one serves series and blocks.
std::size_t before_step(const DriftShape& shape, std::size_t values) {
  return static_cast<std::size_t>(std::lround(*shape.step_at * static_cast<double>(values)));
}

/// Movements over the whole series that pairs of its values show, were the shape this one.
std::vector<double> movements(std::span<const double> values, const DriftShape& shape) {
  std::vector<double> moved;
  const std::size_t n = values.size();
  if (shape.step_at) {
    const std::size_t boundary = before_step(shape, n);
    moved.reserve(boundary * (n - boundary));
    for (std::size_t i = 0; i < boundary; ++i)
      for (std::size_t j = boundary; j < n; ++j) moved.push_back(values[j] - values[i]);
    return moved;
  }
  moved.reserve(n * (n - 1) / 2);
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i)
      moved.push_back((values[j] - values[i]) * static_cast<double>(n) / static_cast<double>(j - i));
  return moved;
}

/// Standard deviation of the number of movements above none less those below, if neighbours are independent
/// and nothing moves: Kendall's (1975), and Mann and Whitney's.
double deviation_of_signs(std::size_t blocks, std::size_t pairs, const DriftShape& shape) {
  const auto n = static_cast<double>(blocks), of = static_cast<double>(pairs);
  return std::sqrt(shape.step_at ? of * (n + 1) / 3 : n * (n - 1) * (2 * n + 5) / 18);
}

/// Blocks before the first step, and before the last.
std::pair<std::size_t, std::size_t> boundaries(std::size_t blocks) {
  return {(blocks + 5) / 6, blocks * 5 / 6};
}

/// How far the values move, were the shape this one.
double movement_of(std::span<const double> values, const DriftShape& shape) {
  if (!shape.step_at) {
    std::vector<double> moved = movements(values, shape);
    return core::at_rank(moved, moved.size() / 2);
  }
  const std::size_t boundary = before_step(shape, values.size());
  return median_of(values.subspan(boundary)) - median_of(values.first(boundary));
}

/// Values less this movement.
std::vector<double> without(std::span<const double> values, const DriftShape& shape, double movement) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    const double part = shape.step_at ? (place > *shape.step_at ? 1 : 0) : place;
    rest.push_back(values[i] - movement * part);
  }
  return rest;
}

/// Values less their median, and no further from it than this many standard deviations.
std::vector<double> clamped(std::span<const double> values, double deviations) {
  const double middle = median_of(values);
  std::vector<double> rest, distances;
  for (const double one : values) rest.push_back(one - middle), distances.push_back(std::abs(one - middle));
  const double most = deviations * sd_of_median_distance * median_of(distances);
  for (double& one : rest) one = std::clamp(one, -most, most);
  return rest;
}

/// Least squares decide, of values whose wildest are clamped. A fit explains the square of a covariance over
/// a variance.
DriftShape best_shape_of(std::span<const double> blocks) {
  constexpr double far = 5;
  const std::vector<double> values = clamped(blocks, far);
  const auto n = static_cast<double>(values.size());
  double sum = 0, moment = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i], moment += values[i] * (static_cast<double>(i) - (n - 1) / 2);
  DriftShape best;
  double most = moment * moment / (n * (n * n - 1) / 12);
  double before = 0;
  const auto [first, last] = boundaries(values.size());
  for (std::size_t boundary = 1; boundary <= last; ++boundary) {
    before += values[boundary - 1];
    const auto m = static_cast<double>(boundary);
    const double explained = std::pow(before - sum * m / n, 2) * n / (m * (n - m));
    if (boundary < first || explained <= most) continue;
    most = explained;
    best = {m / n};
  }
  return best;
}

/// Values less the shape that leaves least, and no further out than three standard deviations: neither a step
/// nor a wild sample says how long the others are correlated.
std::vector<double> residuals_of(std::span<const double> values) {
  const std::vector<double> blocks = block_medians(values, std::min(values.size(), DriftBlocks::fine));
  const DriftShape best = best_shape_of(blocks);
  return clamped(without(values, best, movement_of(blocks, best)), 3);
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
  const auto blocks = static_cast<std::size_t>(static_cast<double>(times_s.size()) / correlation_time_);
  if (blocks < fewest) return;
  level_ = median_of(times_s);
  fine_ = medians_of(times_s, std::min(fine, blocks));
  coarse_ = medians_of(times_s, std::min(coarse, blocks));
  best_ = best_shape_of(fine_.medians);
}

/// Neighbours are correlated by the r of medians of blocks of an autoregressive series.
DriftBlocks::Medians DriftBlocks::medians_of(std::span<const double> times_s, std::size_t blocks) const {
  const double length = static_cast<double>(times_s.size()) / static_cast<double>(blocks);
  const double r = (correlation_time_ * correlation_time_ - 1) / (4 * correlation_time_ * length);
  return {block_medians(times_s, blocks), std::sqrt((1 + r) / (1 - r))};
}

DriftInterval DriftBlocks::interval(const DriftShape& shape, double error) const {
  return interval(coarse_, shape, error);
}

DriftInterval DriftBlocks::interval_of_best(double error) const {
  const auto [first, last] = boundaries(fine_.medians.size());
  return interval(fine_, best_, error / static_cast<double>(last - first + 2));
}

DriftInterval DriftBlocks::interval(const Medians& of, const DriftShape& shape, double error) const {
  std::vector<double> moved = movements(of.medians, shape);
  DriftInterval interval;
  if (moved.empty()) return interval;
  const std::size_t middle = moved.size() / 2;
  interval.value = core::at_rank(moved, middle) / level_;
  const double signs = core::normal_quantile(1 - error) * of.widening *
                       deviation_of_signs(of.medians.size(), moved.size(), shape);
  const double rank = std::floor((static_cast<double>(moved.size()) - signs) / 2);
  if (rank < 1) return interval;
  const auto outermost = static_cast<std::size_t>(rank) - 1;
  // Those below the middle are before it already, those above behind.
  const std::span<double> all = moved;
  interval.lower = core::at_rank(all.first(middle), outermost) / level_;
  interval.upper = core::at_rank(all.subspan(middle), moved.size() - 1 - outermost - middle) / level_;
  return interval;
}

}  // namespace assay::results
