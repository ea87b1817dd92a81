// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What several groups' figures say beside one another.
#pragma once

#include <vector>

#include "collectives/measure/arrivals.hpp"

namespace assay::collectives {

/// Of each group "group0_time_us", the median of its slowest rank's times, and "group0_arrival_skew_us"; the
/// slowest group's time over the fastest's. `by_group`: each group's ranks.
std::vector<core::Metric> group_metrics(const std::vector<std::vector<RankFigures>>& by_group);

/// Bytes that all groups together send in one iteration, inside nodes and across.
void add_tiers(std::vector<core::Metric>& metrics, const std::vector<std::vector<RankFigures>>& by_group);

}  // namespace assay::collectives
