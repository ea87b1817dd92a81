// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points whose samples are partly slower than the time that is judged, their median: throttling for some of
// the time.
#pragma once

#include <vector>

#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/series/fleet_doubts.hpp"

namespace assay::results {

/// The excess of the mean of the samples over the point's time, as a share of it. 0 where samples are few, or
/// were not kept, or the time is another quantile than their median.
double excess_of(const FleetPoint& point);

/// Points that exceed so in the median of three runs or more, by more than their equals and what they vary
/// by.
std::vector<FleetIssue> uneven_points(const Fleet& fleet, const FleetRunValues& runs);

}  // namespace assay::results
