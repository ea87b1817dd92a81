// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many rare events there may be on average when a given number was seen: the limit behind every dose.
#pragma once

#include <cstdint>

namespace assay::core {

/// The probability of so many events or fewer where their mean is `mean`, at least 0; 0 for fewer than none.
double poisson_at_most(std::int64_t events, double mean);

/// The exact upper confidence limit of a Poisson mean of which `events` were seen: -ln(1 - c) for none, else
/// half the c-quantile of chi-square with 2 (events + 1) degrees of freedom. 95 %: 3.00 for 0, 4.74 for
/// 1, 6.30 for 2. A usage Error unless `confidence` lies in (0, 1) and `events` is not negative.
double poisson_upper_limit(std::int64_t events, double confidence = 0.95);

}  // namespace assay::core
