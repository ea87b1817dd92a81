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

/// different_points_of_case() of each, in their order. Nothing of the cases after those that have `most`
/// points together. Throws what reading a store throws.
std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most);

}  // namespace assay::results
