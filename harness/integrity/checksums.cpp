// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/checksums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <string_view>

namespace assay::integrity {
namespace {

/// The inverse of an odd number modulo 2^64: each Newton step doubles the bits that are right, from the 3
/// that an odd number shares with its own inverse.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int right_bits = 3; right_bits < 64; right_bits *= 2) x *= 2 - odd * x;
  return x;
}

std::vector<std::int64_t> differing(const std::vector<std::uint64_t>& a,
                                    const std::vector<std::uint64_t>& b) {
  assert(a.size() == b.size());
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) places.push_back(static_cast<std::int64_t>(i));
  return places;
}

std::optional<Location::Single> single_error(const Location& location, const Checksums& expected,
                                             const Checksums& got) {
  if (location.rows.size() != 1 || location.columns.size() != 1) return std::nullopt;
  const auto row = static_cast<std::size_t>(location.rows.front());
  const auto column = static_cast<std::size_t>(location.columns.front());
  const std::uint64_t by_row = (got.rows[row] - expected.rows[row]) * inverse(column_weight(column));
  const std::uint64_t by_column = (got.columns[column] - expected.columns[column]) * inverse(row_weight(row));
  if (by_row != by_column) return std::nullopt;
  return Location::Single{location.rows.front(), location.columns.front(), static_cast<std::int64_t>(by_row)};
}

std::string places(const std::vector<std::int64_t>& numbers, std::string_view one) {
  const std::size_t shown = std::min<std::size_t>(numbers.size(), 8);
  return fmt::format("{} {}{} ({}{})", numbers.size(), one, numbers.size() == 1 ? "" : "s",
                     fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     numbers.size() > shown ? ", ..." : "");
}

}  // namespace

Location locate(const Checksums& expected, const Checksums& got) {
  Location location{.rows = differing(expected.rows, got.rows),
                    .columns = differing(expected.columns, got.columns),
                    .not_whole = got.not_whole,
                    .single = {}};
  if (got.not_whole == 0) location.single = single_error(location, expected, got);
  return location;
}

std::string describe(const Location& location) {
  if (location.clean()) return {};
  if (location.single)
    return fmt::format("element ({}, {}) is too large by {}", location.single->row, location.single->column,
                       location.single->error);
  return fmt::format(
      "wrong within {} and {}{}", places(location.rows, "row"), places(location.columns, "column"),
      location.not_whole == 0 ? "" : fmt::format("; {} elements are not whole numbers", location.not_whole));
}

}  // namespace assay::integrity
