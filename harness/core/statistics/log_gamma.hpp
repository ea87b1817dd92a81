// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace assay::core {

/// The logarithm of the gamma function, x > 0. std::lgamma() also writes the global `signgam`: a data race.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace assay::core
