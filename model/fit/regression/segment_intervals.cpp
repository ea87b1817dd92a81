// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Intervals of a piece's latency and bandwidth that hold the truth in 95 % also where rows are late, few, or
// next to a cut (tests/segments_coverage_test.cpp).
#include <algorithm>
#include <cmath>

#include "harness/core/statistics/student_t.hpp"
#include "model/fit/regression/line_sums.hpp"
#include "model/fit/regression/segments.hpp"
#include "model/fit/regression/tukey.hpp"

namespace assay::model::fit {
namespace {

using Points = std::vector<TimedSize>;

constexpr int steps = 6;
constexpr double rounding_us_per_byte = 1e-12;  // a smaller slope is none
constexpr double unbounded_gb_per_s = 1e12;
constexpr double least_degrees = 1;  // of three points; Tukey's weights can leave less
/// Student's quantile: 0.975, and what choosing pieces and late rows by the same rows takes.
constexpr double quantile_of_interval = 0.98;
/// Share of the scale of all pieces: the least of one, whose few rows may agree by chance.
constexpr double least_of_common_scale = 0.7;

/// 1 byte/us is 1e-3 GB/s; no slope means a bandwidth beyond what these sizes show.
double gb_per_s(double us_per_byte) {
  return us_per_byte > rounding_us_per_byte ? 1e-3 / us_per_byte : unbounded_gb_per_s;
}

Coefficient with_bounds(const char* name, double value, double lower, double upper) {
  // 0: unknown, and lower what it is at least.
  Coefficient result{name, value, value > 0 ? std::min(lower, value) : lower, std::max(upper, value)};
  result.supported = value > 0 && result.lower > 0 && result.upper < 2 * result.lower;
  return result;
}

/// The line without bounds on its coefficients. Errors are relative to the fitted times: relative to the
/// measured ones, early rows would weigh more.
LineSpread spread_of(Segment line, const Points& own, double common_scale) {
  LineSpread found;
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> errors = relative_errors(own, {&line, 1});
    const double scale = early_scale_of(errors, 2);
    const std::vector<double> weights = tukey_weights(errors, scale);
    LineSums weighted, all;
    double weight = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double by_fitted = (1 + errors[i]) * (1 + errors[i]);
      weighted.add(own[i], weights[i] * by_fitted), all.add(own[i], by_fitted);
      weight += weights[i];
    }
    found = weighted.spread();
    const LineSpread design = all.unit_spread();
    if (std::isinf(found.slope_error) || std::isinf(design.slope_error)) return found;
    const auto rows = static_cast<double>(own.size());
    const double lost = rows > 2 ? rows / (rows - 2) : 1;
    const double deviation = std::max(least_of_common_scale * common_scale,
                                      scale * std::sqrt(tukey_variance(errors, scale) * lost));
    found.latency_error_us = deviation * design.latency_error_us;
    found.slope_error = deviation * design.slope_error;
    found.freedom = weight - 2;
    line.latency_us = found.latency_us, line.us_per_byte = found.us_per_byte;
  }
  return found;
}

void add_interval(Segment& segment, const Points& own, double common_scale) {
  const LineSpread spread = spread_of(segment, own, common_scale);
  const double quantile =
      core::student_t_quantile(quantile_of_interval, std::max(spread.freedom, least_degrees));
  const auto from = [&](double value, double error) { return std::max(0.0, value - quantile * error); };
  const auto to = [&](double value, double error) { return std::max(0.0, value + quantile * error); };
  const double longest_us = std::ranges::max_element(own, {}, &TimedSize::time_us)->time_us;
  segment.latency =
      with_bounds("latency_us", segment.latency_us, from(spread.latency_us, spread.latency_error_us),
                  std::min(longest_us, to(spread.latency_us, spread.latency_error_us)));
  const double value = segment.us_per_byte > rounding_us_per_byte ? 1e-3 / segment.us_per_byte : 0;
  segment.bandwidth = with_bounds("gb_per_s", value, gb_per_s(to(spread.us_per_byte, spread.slope_error)),
                                  gb_per_s(from(spread.us_per_byte, spread.slope_error)));
}

/// Its rows without those of the size at each cut, where enough sizes are left.
Points inner_rows(const std::vector<Segment>& segments, std::size_t at, const Points& points) {
  const Segment& segment = segments[at];
  const bool is_cut_before = at > 0, is_cut_after = at + 1 < segments.size();
  Points own, inner;
  std::size_t sizes = 0;
  for (const TimedSize& point : points) {
    if (point.size_bytes < segment.from_bytes || point.size_bytes > segment.to_bytes) continue;
    if (own.empty() || own.back().size_bytes != point.size_bytes) ++sizes;
    own.push_back(point);
    if (!(is_cut_before && point.size_bytes == segment.from_bytes) &&
        !(is_cut_after && point.size_bytes == segment.to_bytes))
      inner.push_back(point);
  }
  const std::size_t needed = fewest_sizes_of_segment + (is_cut_before ? 1 : 0) + (is_cut_after ? 1 : 0);
  return sizes >= needed ? inner : own;
}

}  // namespace

void add_intervals(std::vector<Segment>& segments, std::vector<TimedSize> points) {
  std::ranges::stable_sort(points, {}, &TimedSize::size_bytes);
  const double spent = 3 * static_cast<double>(segments.size());
  const double common_scale = segments.size() > 1 ? scale_of(relative_errors(points, segments), spent) : 0;
  for (std::size_t at = 0; at < segments.size(); ++at)
    add_interval(segments[at], inner_rows(segments, at, points), common_scale);
}

}  // namespace assay::model::fit
