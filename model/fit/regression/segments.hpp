// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time against size by pieces of latency + size / bandwidth: how many pieces, and where, the data say.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "model/fit/regression/relative_fit.hpp"

namespace assay::model::fit {

struct TimedSize {
  double size_bytes = 0, time_us = 0;
};

/// latency_us + size / bandwidth from the first to the last size measured in it. A latency or bandwidth that
/// the sizes do not determine (a piece without slope, or through zero) has `supported` false.
struct Segment {
  double from_bytes = 0, to_bytes = 0;
  double latency_us = 0, us_per_byte = 0;
  std::size_t rows = 0;
  Coefficient latency, bandwidth;  // latency_us, gb_per_s: the same two with intervals

  double time_us(double size_bytes) const { return latency_us + us_per_byte * size_bytes; }
};

inline constexpr std::size_t fewest_sizes_of_segment = 3;
inline constexpr std::size_t most_segments = 8;

/// Robust relative least squares (Tukey's weights) by dynamic programming over the places of the cuts. A
/// piece more, of at most `most`, needs a gain of Tukey's loss that late rows alone do not have. Needs
/// fewest_sizes_of_segment different sizes (an assertion of the caller's).
std::vector<Segment> fit_segments(std::vector<TimedSize> points, std::size_t most = most_segments);

/// 95 % intervals of each segment, from its rows without those at a cut, which may be the neighbour's.
void add_intervals(std::vector<Segment>& segments, std::vector<TimedSize> points);

/// Time over pieces in order of size, each with from_bytes and to_bytes: `time_us(piece, bytes)` of the piece
/// of this size. Between two pieces the time goes from the one to the other along a straight line of
/// logarithms.
template <class Piece, class Time>
double time_over_pieces(std::span<const Piece> pieces, double size_bytes, Time time_us) {
  const auto next = std::ranges::lower_bound(pieces, size_bytes, {}, &Piece::to_bytes);
  if (next == pieces.end()) return time_us(pieces.back(), size_bytes);
  if (next == pieces.begin() || size_bytes >= next->from_bytes) return time_us(*next, size_bytes);
  const Piece& before = *(next - 1);
  const double part = std::log(size_bytes / before.to_bytes) / std::log(next->from_bytes / before.to_bytes);
  const double from_us = std::log(time_us(before, before.to_bytes));
  return std::exp(from_us + part * (std::log(time_us(*next, next->from_bytes)) - from_us));
}

double segments_us(std::span<const Segment> segments, double size_bytes);

}  // namespace assay::model::fit
