// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/segments.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "model/fit/regression/line_sums.hpp"
#include "model/fit/regression/tukey.hpp"

namespace assay::model::fit {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int passes = 4;

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

/// Each piece spends two coefficients and a place.
double spent_by(std::size_t pieces) { return 3 * static_cast<double>(pieces); }

struct Pieces {
  std::vector<Segment> segments;
  std::vector<double> errors;
};

/// The best of this number, with weights that start from none: those of other pieces would keep them.
Pieces pieces_of(const std::vector<TimedSize>& points, std::size_t number) {
  Pieces pieces;
  std::vector<double> weights(points.size(), 1.0);
  for (int pass = 0; pass < passes; ++pass) {
    pieces.segments = Cuts(points, weights, number).segments(points, number);
    pieces.errors = relative_errors(points, pieces.segments);
    weights = tukey_weights(pieces.errors, scale_of(pieces.errors, spent_by(number)));
  }
  return pieces;
}

/// Gain of Tukey's loss that so many pieces more must have. Few rows leave a scale that is small by chance.
/// By simulation: one line in a hundred is broken needlessly (segments_coverage_test).
double price_of(std::size_t more, double rows, std::size_t pieces) {
  const double freedom = std::max(1.0, rows - spent_by(pieces));
  return 4 * static_cast<double>(more) * std::log(rows) * (1 + 10 / freedom);
}

}  // namespace

std::vector<Segment> fit_segments(std::vector<TimedSize> points, std::size_t most) {
  std::ranges::stable_sort(points, {}, &TimedSize::size_bytes);
  const std::size_t sizes = places_of(points).size() - 1;
  assert(sizes >= fewest_sizes_of_segment);
  Pieces best = pieces_of(points, 1);
  most = std::min(most, sizes / fewest_sizes_of_segment);
  // A dip needs two cuts at once, so that one piece more may gain nothing where two do.
  for (std::size_t number = 2; number <= std::min(most, best.segments.size() + 2); ++number) {
    Pieces pieces = pieces_of(points, number);
    const double scale = scale_of(pieces.errors, spent_by(number));
    const double gain = tukey_loss(best.errors, scale) - tukey_loss(pieces.errors, scale);
    if (gain > price_of(number - best.segments.size(), static_cast<double>(points.size()), number))
      best = std::move(pieces);
  }
  return best.segments;
}

double segments_us(std::span<const Segment> segments, double size_bytes) {
  return time_over_pieces(segments, size_bytes,
                          [](const Segment& segment, double bytes) { return segment.time_us(bytes); });
}

}  // namespace assay::model::fit
