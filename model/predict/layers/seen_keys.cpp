// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/seen_keys.hpp"

#include <algorithm>
#include <cmath>

namespace assay::model {
namespace {

constexpr double tile = 128;

/// The window in a piece of `length` tokens, all of it where there is no window.
double window_in(const Application& a, double length) {
  return a.window > 0 ? std::min(static_cast<double>(a.window), length) : length;
}

/// Pairs of query and key in a piece of a sequence that sees nothing else.
double pairs(const Application& a, double length) {
  const double w = window_in(a, length);
  if (a.causal) return w * (w + 1) / 2 + (length - w) * w;
  return w < length ? length * (2 * w - 1) - w * (w - 1) : length * length;
}

double tiled_pairs(const Application& a, double length) {
  const bool windowed = window_in(a, length) < length;
  const double edges = windowed ? 2 : a.causal ? 1 : 0;
  return std::min(length * length, pairs(a, length) + length * edges * (tile - 1) / 2);
}

/// Sums over documents, cut where a chunk of attention ends.
template <class Pairs>
double sum_over_pieces(const Application& a, const Pairs& of_piece) {
  const auto document = [&](double length) {
    if (a.attention_chunk == 0) return of_piece(a, length);
    const auto chunk = static_cast<double>(a.attention_chunk);
    const double whole = std::floor(length / chunk), rest = length - whole * chunk;
    return (whole > 0 ? whole * of_piece(a, chunk) : 0) + (rest > 0 ? of_piece(a, rest) : 0);
  };
  if (a.packed_lengths.empty()) return document(static_cast<double>(a.seq_size));
  double sum = 0;
  for (const std::int64_t length : a.packed_lengths) sum += document(static_cast<double>(length));
  return sum;
}

}  // namespace

double seen_keys(const Application& a) { return sum_over_pieces(a, pairs) / static_cast<double>(a.seq_size); }

double tiled_keys(const Application& a) {
  const auto seq = static_cast<double>(a.seq_size);
  const bool masked = a.causal || a.window > 0 || a.attention_chunk > 0 || !a.packed_lengths.empty();
  return masked ? sum_over_pieces(a, tiled_pairs) / seq : seq;
}

}  // namespace assay::model
