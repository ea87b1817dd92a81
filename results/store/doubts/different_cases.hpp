// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The different points of several large cases, read on several processors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

struct PointsOfCase {
  std::vector<StoredPoint> points;
  bool cut_short = false;
};

/// Rows that one thread reads in turn.
inline constexpr std::int64_t rows_in_part = 8192;

/// Each point of each case once, as DifferentPoints joins them, without holding the rows. A case ends at the
/// first point that would be one more than `most`: of what comes after it, repetitions are missing too. Cases
/// after those that have `most` points together are not read. `in_part` changes no result. Throws what
/// reading a store throws.
std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most,
                                                                   std::int64_t in_part = rows_in_part);

}  // namespace assay::results
