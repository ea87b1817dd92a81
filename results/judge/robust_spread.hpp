// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Middle and spread of values of which up to half may be anything: by the shortest interval that holds half
// of them, so that neither the slow nor the fast side can push the other's limit.
#pragma once

#include <vector>

namespace assay::results {

/// Of a copy put in order partly; NaN of none.
double median_in_place(std::vector<double>& values);

struct Core {
  double centre = 0;
  double deviation = 0;  // standard deviation, were the core that of a normal distribution; never 0
};

/// No NaN among the values.
Core core_of(std::vector<double> values);

}  // namespace assay::results
