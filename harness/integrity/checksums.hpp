// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Row and column checksums of a matrix of whole numbers, and where they say that it is wrong. A product's
// checksums follow from those of its factors (Huang and Abraham 1984, algorithm-based fault tolerance): m k +
// k n + m n steps instead of m n k. Here they are sums modulo 2^64 with odd weights, so that nothing is
// rounded and no change of a single number leaves them unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/integrity/digest.hpp"

namespace assay::integrity {

/// Weight of a column in the checksum of a row, and of a row in the checksum of a column.
constexpr std::uint64_t column_weight(std::uint64_t column) {
  return position_hash(0x77656967, column) | 1ULL;
}
constexpr std::uint64_t row_weight(std::uint64_t row) { return position_hash(0x726f7773, row) | 1ULL; }

/// The term that one number adds to a checksum; `whole` is false for NaN, infinity or a fraction.
struct ChecksumTerm {
  std::uint64_t term = 0;
  bool whole = true;
};

constexpr ChecksumTerm weighted(double value, std::uint64_t weight) {
  // NaN fails the comparison and is caught here.
  if (!(value > -0x1p53 && value < 0x1p53)) return {0, false};
  const auto whole = static_cast<std::int64_t>(value);
  return {static_cast<std::uint64_t>(whole) * weight, static_cast<double>(whole) == value};
}

struct Checksums {
  std::vector<std::uint64_t> rows, columns;
  std::int64_t not_whole = 0;  // NaN, infinities and fractions
};

/// Rows and columns whose checksum is not the expected one.
struct Location {
  std::vector<std::int64_t> rows, columns;
  std::int64_t not_whole = 0;
  /// The one element that explains every difference, and what it is too large by.
  struct Single {
    std::int64_t row = 0, column = 0, error = 0;
  };
  std::optional<Single> single;

  bool clean() const { return rows.empty() && columns.empty() && not_whole == 0; }
};

/// Both of as many rows and columns.
Location locate(const Checksums& expected, const Checksums& got);

/// "element (3, 17) is too large by 4"; "wrong within 2 rows (3, 9) and 1 column (17)"; empty when clean.
std::string describe(const Location& location);

}  // namespace assay::integrity
