// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/beta_distribution.hpp"

#include <cmath>

namespace assay::core {
namespace {

/// The continued fraction of I_x(a, b), DLMF 8.17.22, evaluated forward by Lentz's method.
double continued_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  double c = 1;
  double d = 1 / (1 - (a + b) * x / (a + 1));
  double value = d;
  const auto step = [&](double coefficient) {
    d = 1 + coefficient * d;
    c = 1 + coefficient / c;
    if (std::fabs(d) < tiny) d = tiny;
    if (std::fabs(c) < tiny) c = tiny;
    d = 1 / d;
    value *= c * d;
    return std::fabs(c * d - 1);
  };
  for (int m = 1; m <= 500; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) < 1e-14) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // lgamma_r, not lgamma: the latter writes a global.
  int sign = 0;
  const double log_front =
      lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * std::log(x) + b * std::log1p(-x);
  // The fraction converges fast only below the mean; above it, the symmetric form is used.
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * continued_fraction(x, a, b) / a;
  return 1 - std::exp(log_front) * continued_fraction(1 - x, b, a) / b;
}

double fractional_rank(double q, double n, double probability) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 36; ++i) {  // I_q falls monotonically with u; 2^-36 is far below one rank
    const double u = (low + high) / 2;
    (incomplete_beta(q, (n + 1) * u, (n + 1) * (1 - u)) > probability ? low : high) = u;
  }
  return (low + high) / 2;
}

}  // namespace assay::core
