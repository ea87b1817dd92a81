// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Splits a range over a few short-lived threads: for filling and checking, never inside what is timed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/core/process/side_by_side.hpp"

namespace assay::gemm {

/// body(begin, end, piece) over [0, count), pieces numbered from 0; at most `threads` pieces.
template <class Body>
void in_pieces(std::int64_t count, int threads, const Body& body) {
  const std::int64_t pieces = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(1, count));
  core::at_once(static_cast<std::size_t>(pieces), [&](std::size_t at) {
    const auto piece = static_cast<std::int64_t>(at);
    body(count * piece / pieces, count * (piece + 1) / pieces, at);
  });
}

}  // namespace assay::gemm
