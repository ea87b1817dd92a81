// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay::model {
namespace {

constexpr double seconds_per_us = 1e-6;
constexpr double infinite = std::numeric_limits<double>::infinity();

// A quarter of an octave: straight lines between such sizes are off a power law of the size by 0.1 % at most.
const double step = std::exp2(0.25);

std::vector<double> sizes_after(double from, double to) {
  std::vector<double> sizes;
  for (double size = from * step; size < to; size *= step) sizes.push_back(size);
  if (from < to) sizes.push_back(to);
  return sizes;
}

bool covers(const MeasuredCollective::Algorithm& algorithm, double bytes) {
  return algorithm.segments.front().from_bytes <= bytes && bytes <= algorithm.segments.back().to_bytes;
}

fit::Segment moved_segment(fit::Segment segment, MeasuredCollective::Part part, End end) {
  if (part == MeasuredCollective::Part::latency)
    segment.latency_us = end_of(segment.latency, end);
  else if (const double gb_per_s = end_of(segment.bandwidth, end); gb_per_s > 0)
    segment.us_per_byte = 1e-3 / gb_per_s;  // 1 GB/s is 1e3 bytes/us
  return segment;
}

}  // namespace

double end_of(const fit::Coefficient& of, End end) {
  if (end == End::high) return std::max(of.upper, of.value);
  return of.is_unbounded() ? of.lower : std::min(of.lower, of.value);
}

MeasuredCollective::MeasuredCollective(Origin origin, std::vector<Algorithm> algorithms)
    : origin_(std::move(origin)), algorithms_(std::move(algorithms)) {
  from_bytes_ = infinite;
  for (const Algorithm& algorithm : algorithms_) {
    from_bytes_ = std::min(from_bytes_, algorithm.segments.front().from_bytes);
    to_bytes_ = std::max(to_bytes_, algorithm.segments.back().to_bytes);
  }
  tabulate();
}

double MeasuredCollective::seconds(double bytes) const {
  const auto piece = std::lower_bound(pieces_.begin(), pieces_.end() - 1, bytes,
                                      [](const Piece& of, double size) { return of.to_bytes < size; });
  return piece->latency_s + bytes * piece->s_per_byte;
}

const MeasuredCollective::Algorithm& MeasuredCollective::fastest(double bytes) const {
  const auto rank = [&](const Algorithm& algorithm) {
    return std::pair(!covers(algorithm, bytes), algorithm.time_us(bytes));
  };
  return *std::ranges::min_element(algorithms_, {}, rank);
}

const fit::Segment& MeasuredCollective::segment(double bytes) const {
  const std::vector<fit::Segment>& segments = fastest(std::clamp(bytes, from_bytes_, to_bytes_)).segments;
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &fit::Segment::to_bytes);
  return found == segments.end() ? segments.back() : *found;
}

void MeasuredCollective::tabulate() {
  const auto time_s = [&](double bytes) { return fastest(bytes).time_us(bytes) * seconds_per_us; };
  /// Up to `to_bytes`, through (size, s) and on with the slope from `near` to twice that.
  const auto straight_on = [&](double near, double size, double to_bytes) {
    const double s = time_s(size);
    const double slope = std::clamp((time_s(2 * near) - time_s(near)) / near, 0.0, s / size);
    return Piece{to_bytes, s - slope * size, slope};
  };
  const double from = from_bytes_ / table_reaches, to = to_bytes_ * table_reaches;
  pieces_ = {straight_on(from, from, from)};
  double size = from, size_s = time_s(from);
  const auto join_to = [&](double next) {
    const double next_s = time_s(next);
    const double s_per_byte = (next_s - size_s) / (next - size);
    pieces_.push_back({next, size_s - s_per_byte * size, s_per_byte});
    size = next, size_s = next_s;
  };
  const std::array bounds{from, from_bytes_, to_bytes_, to};
  for (std::size_t i = 1; i < bounds.size(); ++i)
    for (const double next : sizes_after(bounds[i - 1], bounds[i])) join_to(next);
  pieces_.push_back(straight_on(to / 2, to, infinite));
}

MeasuredCollective MeasuredCollective::moved(Part part, End end) const {
  std::vector<Algorithm> algorithms;
  for (const auto& [segments, time_us] : algorithms_) {
    std::vector<fit::Segment> there;
    for (const fit::Segment& segment : segments) there.push_back(moved_segment(segment, part, end));
    algorithms.push_back({there, [there, before = segments, time_before_us = time_us](double bytes) {
                            return time_before_us(bytes) * fit::segments_us(there, bytes) /
                                   fit::segments_us(before, bytes);
                          }});
  }
  return {origin_, std::move(algorithms)};
}

}  // namespace assay::model
