// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "harness/core/statistics/beta_distribution.hpp"

namespace assay::core {

/// P(X <= k) of a binomial of n trials with the probability p, by the incomplete beta function (Abramowitz
/// and Stegun 26.5.24).
inline double binomial_at_most(std::int64_t n, double p, std::int64_t k) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incomplete_beta(1 - p, static_cast<double>(n - k), static_cast<double>(k + 1));
}

/// The share p at which P(X <= k) is `probability`.
inline double binomial_share(std::int64_t n, std::int64_t k, double probability) {
  double low = 0, high = 1;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (binomial_at_most(n, middle, k) > probability ? low : high) = middle;
  }
  return high;
}

struct ShareInterval {
  double lower = 0, upper = 1;
};

/// Interval of a share of which `count` of n trials were seen (Clopper and Pearson 1934).
inline ShareInterval share_interval(std::int64_t n, std::int64_t count, double alpha = 0.05) {
  return {.lower = count == 0 ? 0 : binomial_share(n, count - 1, 1 - alpha / 2),
          .upper = count == n ? 1 : binomial_share(n, count, alpha / 2)};
}

}  // namespace assay::core
