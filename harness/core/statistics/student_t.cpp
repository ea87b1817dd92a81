// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/student_t.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/beta_distribution.hpp"

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

double normal_quantile(double probability) {
  // Abramowitz and Stegun 26.2.23, then Newton's method to the last digit.
  const double tail = std::min(probability, 1 - probability);
  if (!(tail > 0)) return probability < 0.5 ? -HUGE_VAL : HUGE_VAL;
  const double t = std::sqrt(-2 * std::log(tail));
  double z =
      t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int time = 0; time < 3; ++time) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
    if (density > 0) z += (normal_probability(-z) - tail) / density;
  }
  return probability < 0.5 ? -z : z;
}

}  // namespace assay::core
