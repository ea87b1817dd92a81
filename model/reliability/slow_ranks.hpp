// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A synchronous step waits for its slowest rank.
#pragma once

namespace assay::model::reliability {

/// The mean of the largest of `ranks` (at least 1) standard normal variables: 0 for 1, 0.564 for 2, 1.539 for
/// 10, 3.241 for 1,000. By integrating 1 - F^n (David and Nagaraja 2003, "Order statistics", 3.1).
double expected_largest_normal(double ranks);

/// Step time over that of ranks which are all equal: `spread` is the relative standard deviation of a rank's
/// step, and one rank takes `slower` (0.1: 10 %) longer than the others.
double step_slowdown(double ranks, double spread, double slower);

}  // namespace assay::model::reliability
