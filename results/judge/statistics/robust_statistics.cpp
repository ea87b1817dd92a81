// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/robust_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/statistics/student_t.hpp"
#include "results/judge/statistics/sort_numbers.hpp"

namespace assay::results {
namespace {

constexpr double least_deviation = 1e-6;  // values may agree to the last digit
constexpr double widest_step = 0.05;
/// Beyond the sample its tail is taken to fall like that of Student's t with three degrees of freedom.
constexpr double heaviest_tail = 3;
constexpr double farthest_score = 8, least_probability = 1e-15;
constexpr double beyond_step = 0.05;

/// Between the two nearest values where the place is not a whole number; beyond the ends the outermost.
double value_between(std::span<const double> values, double place) {
  const double at = std::clamp(place, 0.0, static_cast<double>(values.size() - 1));
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(sorted.size());
  const double rank = std::clamp(1 + q * (n - 1), 1.0, n), fraction = rank - std::floor(rank);
  const std::size_t below = static_cast<std::size_t>(rank) - 1;
  return fraction == 0.0 ? sorted[below] : sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

Core core_of(std::vector<double> values) {
  sort_numbers(values);
  return core_of_sorted(values);
}

Core core_of_sorted(std::span<const double> values) {
  if (values.empty()) return {0, least_deviation};
  const std::size_t half = values.size() / 2;
  std::size_t best = 0;
  for (std::size_t from = 0; from + half < values.size(); ++from)
    if (values[from + half] - values[from] < values[best + half] - values[best]) best = from;
  const double width = values[best + half] - values[best];
  return {(values[best] + values[best + half]) / 2,
          std::max(width / 2 / normal_upper_quartile, least_deviation)};
}

NormalScores::NormalScores(std::vector<double> sample) {
  sort_numbers(sample);
  learn(sample);
}

NormalScores NormalScores::of_sorted(std::span<const double> sample) {
  NormalScores scores;
  scores.learn(sample);
  return scores;
}

void NormalScores::learn(std::span<const double> sample) {
  bound_ = -core::normal_quantile(1 / static_cast<double>(sample.size() + 1));
  const auto steps = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(2 * bound_ / widest_step)));
  step_ = 2 * bound_ / static_cast<double>(steps);
  for (std::size_t step = 0; step <= steps; ++step) {
    // The first value of the sample stands for the probability 1 / (2 n).
    const double probability = core::normal_probability(-bound_ + step_ * static_cast<double>(step));
    knots_.push_back(value_between(sample, probability * static_cast<double>(sample.size()) - 0.5));
  }
  const double fall = std::exp(-heaviest_tail * beyond_step);
  for (double tail = core::normal_probability(-bound_); tail > least_probability; tail *= fall)
    beyond_.push_back(std::min(farthest_score, -core::normal_quantile(tail)));
  beyond_.push_back(farthest_score);
}

double NormalScores::operator()(double value) const {
  const auto [begin, end] = std::equal_range(knots_.begin(), knots_.end(), value);
  const auto first = static_cast<double>(begin - knots_.begin());
  if (begin != end)  // equal values share their ranks
    return -bound_ + step_ * (first + static_cast<double>(end - begin - 1) / 2);
  if (begin == knots_.begin()) return -beyond(value, knots_.front());
  if (begin == knots_.end()) return beyond(value, knots_.back());
  const double low = *(begin - 1), high = *begin;
  return -bound_ + step_ * (first - 1 + (value - low) / (high - low));
}

double NormalScores::beyond(double value, double outermost) const {
  if (outermost == 0) return farthest_score;  // there is no noise
  const double times = value / outermost;
  if (!(times > 1)) return bound_;
  return value_between(beyond_, std::log(times) / beyond_step);
}

double NormalScores::value_at(double score) const { return value_between(knots_, (score + bound_) / step_); }

}  // namespace assay::results
