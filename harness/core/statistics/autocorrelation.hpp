// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How much less than n independent samples a sequence of n dependent ones says about a quantile.
#pragma once

#include <span>

namespace assay::core {

/// Autocorrelation time (at least 1) of the sequence "sample <= threshold".
double autocorrelation_time(std::span<const double> samples, double threshold);

}  // namespace assay::core
