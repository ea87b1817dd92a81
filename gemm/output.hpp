// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a check needs to know of an output: a digest of its bits and a checksum a row, both sums modulo 2^64
// and so independent of the order in which elements are visited. The same arithmetic on host and device.
#pragma once

#include <cstdint>

#include "gemm/operand.hpp"

namespace assay::gemm {

/// 128 bits over (position, bits) of every element.
struct Digest {
  std::uint64_t low = 0, high = 0;
  constexpr bool operator==(const Digest&) const = default;
};

constexpr Digest digest_term(std::uint64_t position, std::uint64_t bits) {
  return {mix(bits ^ position_hash(0x6c6f77, position)), mix(bits + position_hash(0x68696768, position))};
}

/// Weight of a column in a row's checksum. Odd, so that no change of a single element leaves the checksum
/// unchanged.
constexpr std::uint64_t column_weight(std::uint64_t column) {
  return position_hash(0x77656967, column) | 1ULL;
}

/// What one element adds to its row's checksum, and whether it is no whole number (NaN, infinity or a
/// fraction).
struct ChecksumTerm {
  std::uint64_t term = 0;
  bool whole = true;
};

constexpr ChecksumTerm checksum_term(double value, std::uint64_t column) {
  // NaN fails the comparison and is caught here.
  if (!(value > -0x1p53 && value < 0x1p53)) return {0, false};
  const auto whole = static_cast<std::int64_t>(value);
  return {static_cast<std::uint64_t>(whole) * column_weight(column), static_cast<double>(whole) == value};
}

}  // namespace assay::gemm
