// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of a contest's samples, on a host and on a GPU alike.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::offload {

/// Times of one sample: seconds of one quantum of the victim.
struct ContestTimes {
  double alone_s = 0, beside_spin_s = 0, beside_s = 0;
  double aggressor_gb_per_s = 0;  // of all of the aggressor together, meanwhile
};

/// With intervals; every ratio is of one sample, so that what moves all three times cancels.
std::vector<core::Metric> contest_metrics(const std::vector<ContestTimes>& times);

}  // namespace assay::offload
