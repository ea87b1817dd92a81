// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "harness/core/beta_distribution.hpp"

namespace assay::core {

/// P(X <= k) of a binomial of n trials with the probability p, by the incomplete beta function (Abramowitz
/// and Stegun 26.5.24).
inline double binomial_at_most(std::int64_t n, double p, std::int64_t k) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incomplete_beta(1 - p, static_cast<double>(n - k), static_cast<double>(k + 1));
}

}  // namespace assay::core
