// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Values by rank, and the three rules for the middle of an even number of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::core {

/// The value of rank `rank` (from 0, below the size) in ascending order. Smaller values are then before it,
/// larger ones behind.
double& at_rank(std::span<double> values, std::size_t rank);

/// The smaller one of the middle two where there are two; 0 of none.
double lower_median(std::vector<double> values);

/// The larger one of the middle two where there are two; 0 of none.
double upper_median(std::vector<double> values);

/// The mean of the middle two where there are two; NaN of none.
double median(std::vector<double> values);

/// median() without a copy: reorders the values.
double median_in_place(std::span<double> values);

}  // namespace assay::core
