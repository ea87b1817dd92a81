// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether two points, or two runs, mean the same: what differs is named, and the comparison refused.
#pragma once

#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// Two repetitions of a point. Throws std::runtime_error with one line naming the first of these that
/// differs: bytes or FLOPs of an iteration and how the bytes are counted, the quantile of the time, ranks,
/// nodes or groups, the unit of a metric.
void refuse_other_definition(const StoredPoint& a, const PointRecord& of_a, const StoredPoint& b,
                             const PointRecord& of_b);

/// All points of two runs. Throws likewise where a case has an axis in one run only, or no value of an axis
/// (message size, data type, in place, algorithm) in common.
void refuse_other_sweeps(const std::vector<StoredPoint>& a, const std::vector<StoredPoint>& b);

}  // namespace assay::results
