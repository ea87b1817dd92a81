// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Splits a range over a few short-lived threads: for filling and checking, never inside what is timed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::gemm {

/// body(begin, end, piece) over [0, count), pieces numbered from 0; at most `threads` pieces. body must not
/// throw.
template <class Body>
void in_pieces(std::int64_t count, int threads, const Body& body) {
  const std::int64_t pieces = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(1, count));
  std::vector<std::jthread> crew;
  for (std::int64_t piece = 1; piece < pieces; ++piece)
    crew.emplace_back([&, piece] {
      body(count * piece / pieces, count * (piece + 1) / pieces, static_cast<std::size_t>(piece));
    });
  body(std::int64_t{0}, count / pieces, std::size_t{0});
}

}  // namespace assay::gemm
