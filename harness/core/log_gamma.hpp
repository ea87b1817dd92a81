// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace assay::core {

/// Logarithm of the gamma function, x > 0. std::lgamma() writes a global variable, which threads share.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace assay::core
