// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/student_t.hpp"

#include <cmath>

#include "harness/core/beta_distribution.hpp"

namespace assay::core {

// P(|T| > t) = I_x(degrees / 2, 1 / 2) at x = degrees / (degrees + t^2) (Abramowitz and
// Stegun 26.5.27, 26.7.1).
double student_t_probability(double t, double degrees) {
  const double outside = incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5);
  return t < 0 ? outside / 2 : 1 - outside / 2;
}

double student_t_quantile(double probability, double degrees) {
  if (probability == 0.5) return 0;
  if (probability < 0.5) return -student_t_quantile(1 - probability, degrees);
  double low = 0, high = 1;
  while (student_t_probability(high, degrees) < probability && high < 1e100) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = (low + high) / 2;
    (student_t_probability(middle, degrees) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

double normal_probability(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

}  // namespace assay::core
