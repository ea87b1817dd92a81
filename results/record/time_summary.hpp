// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From the times of one point to their summary in its record.
#pragma once

#include <span>

#include "harness/core/statistics/statistics.hpp"
#include "results/record/record.hpp"

namespace assay::results {

/// `samples_s`: those that the interval is of, at least one.
TimeSummary time_summary(const core::QuantileInterval& interval, std::span<const double> samples_s);

}  // namespace assay::results
