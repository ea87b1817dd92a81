// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The middle value.
#pragma once

#include <vector>

namespace assay::results {

/// Of values put in order partly; NaN of none.
double median_in_place(std::vector<double>& values);
double median(std::vector<double> values);

}  // namespace assay::results
