// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points that were measured while their GPU was still getting slower, as tables mark them.
#pragma once

#include <string>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

/// still_moving() of a point that was measured; empty for one that was not, and for one of a host.
std::string still_moving(const RunPoints& run, const StoredPoint& point);

/// "3 of 40 points ...": a table's note; empty where all had settled.
std::string moving_note(const RunPoints& run, const std::vector<StoredPoint>& points);

}  // namespace assay::results
