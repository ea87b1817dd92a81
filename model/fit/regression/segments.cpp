// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/segments.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "model/fit/regression/line_sums.hpp"

namespace assay::model::fit {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double noise_floor = 0.01;  // relative: pieces are not spent on less than timers repeat
constexpr double tukey_constant = 4.685;
constexpr double least_weight = 1e-6;  // keeps a line determined where all its points are outliers

/// The places at which a sorted table may be cut: before each first row of a size, and at the end.
std::vector<std::size_t> places_of(const std::vector<TimedSize>& points) {
  std::vector<std::size_t> places = {0};
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].size_bytes != points[i - 1].size_bytes) places.push_back(i);
  places.push_back(points.size());
  return places;
}

/// The best cuts for every number of segments: least[s][p] is the least loss of s segments over the sizes
/// before p.
class Cuts {
 public:
  Cuts(const std::vector<TimedSize>& points, const std::vector<double>& weights, std::size_t most)
      : places_(places_of(points)), sums_(places_.size()) {
    LineSums sum;
    for (std::size_t place = 1; place < places_.size(); ++place) {
      for (std::size_t i = places_[place - 1]; i < places_[place]; ++i) sum.add(points[i], weights[i]);
      sums_[place] = sum;
    }
    least_.resize(most + 1);
    for (std::vector<double>& row : least_) row.resize(places_.size(), infinite);
    from_.resize(most + 1);
    for (std::vector<std::size_t>& row : from_) row.resize(places_.size());
    least_[0][0] = 0;
    for (std::size_t to = fewest_sizes_of_segment; to < places_.size(); ++to)
      for (std::size_t from = 0; from + fewest_sizes_of_segment <= to; ++from) consider(from, to);
  }

  std::size_t best_number(std::size_t rows) const {
    const auto n = static_cast<double>(rows);
    std::size_t best = 1;
    double least_criterion = infinite;
    for (std::size_t segments = 1; segments < least_.size(); ++segments) {
      const double squares = least_[segments].back();
      const double criterion = n * std::log(squares / n + noise_floor * noise_floor) +
                               3 * static_cast<double>(segments) * std::log(n);
      if (criterion < least_criterion) least_criterion = criterion, best = segments;
    }
    return best;
  }

  std::vector<Segment> segments(const std::vector<TimedSize>& points, std::size_t number) const {
    std::vector<Segment> result;
    for (std::size_t to = places_.size() - 1; number > 0; to = from_[number--][to]) {
      const std::size_t from = from_[number][to];
      const Line line = line_between(from, to);
      Segment segment;
      segment.from_bytes = points[places_[from]].size_bytes;
      segment.to_bytes = points[places_[to] - 1].size_bytes;
      segment.latency_us = line.latency_us;
      segment.us_per_byte = line.us_per_byte;
      segment.rows = places_[to] - places_[from];
      result.push_back(segment);
    }
    std::ranges::reverse(result);
    return result;
  }

 private:
  Line line_between(std::size_t from, std::size_t to) const { return (sums_[to] - sums_[from]).line(); }

  void consider(std::size_t from, std::size_t to) {
    const double squares = line_between(from, to).squares;
    for (std::size_t segments = 1; segments < least_.size(); ++segments) {
      const double loss = least_[segments - 1][from] + squares;
      if (loss < least_[segments][to]) least_[segments][to] = loss, from_[segments][to] = from;
    }
  }

  std::vector<std::size_t> places_;
  std::vector<LineSums> sums_;  // of all points before each place
  std::vector<std::vector<double>> least_;
  std::vector<std::vector<std::size_t>> from_;
};

std::vector<double> tukey_weights(const std::vector<TimedSize>& points, std::span<const Segment> segments) {
  std::vector<double> errors, magnitudes;
  for (const TimedSize& point : points) {
    errors.push_back(point.time_us / std::max(segments_us(segments, point.size_bytes), 1e-9) - 1);
    magnitudes.push_back(std::abs(errors.back()));
  }
  const double scale = std::max(1.4826 * core::quantile_of(magnitudes, 0.5), noise_floor);
  for (double& error : errors) {
    const double u = error / (tukey_constant * scale);
    error = std::max(least_weight, std::abs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0);
  }
  return errors;
}

constexpr double rounding_us_per_byte = 1e-12;  // a smaller slope is none
constexpr double unbounded_gb_per_s = 1e12;
constexpr double least_degrees = 1;  // of three points; Tukey's weights can leave less

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

/// Student's, of the line without bounds on its coefficients: some rows are too few to draw from.
void add_interval(Segment& segment, const std::vector<TimedSize>& own) {
  const std::vector<double> weights = tukey_weights(own, {&segment, 1});
  LineSums sums;
  for (std::size_t i = 0; i < own.size(); ++i) sums.add(own[i], weights[i]);
  const LineSpread spread = sums.spread();
  const double quantile = core::student_t_quantile(0.975, std::max(spread.freedom, least_degrees));
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

}  // namespace

std::vector<Segment> fit_segments(std::vector<TimedSize> points, std::size_t most) {
  std::ranges::stable_sort(points, {}, &TimedSize::size_bytes);
  assert(places_of(points).size() > fewest_sizes_of_segment);
  std::vector<double> weights(points.size(), 1.0);
  std::vector<Segment> segments;
  for (int pass = 0; pass < 3; ++pass) {
    const Cuts cuts(points, weights, most);
    segments = cuts.segments(points, cuts.best_number(points.size()));
    weights = tukey_weights(points, segments);
  }
  return segments;
}

void add_intervals(std::vector<Segment>& segments, const std::vector<TimedSize>& points) {
  for (Segment& segment : segments) {
    std::vector<TimedSize> own;
    for (const TimedSize& point : points)
      if (point.size_bytes >= segment.from_bytes && point.size_bytes <= segment.to_bytes)
        own.push_back(point);
    add_interval(segment, own);
  }
}

double segments_us(std::span<const Segment> segments, double size_bytes) {
  return time_over_pieces(segments, size_bytes,
                          [](const Segment& segment, double bytes) { return segment.time_us(bytes); });
}

}  // namespace assay::model::fit
