// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace assay::core {

/// The error of a sum of two independent errors. std::hypot of two numbers asks for glibc 2.35; packages
/// start with 2.34.
inline double root_sum_of_squares(double left, double right) {
  return std::sqrt(left * left + right * right);
}

}  // namespace assay::core
