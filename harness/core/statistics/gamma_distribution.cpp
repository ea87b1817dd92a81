// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/gamma_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/statistics/log_gamma.hpp"

namespace assay::core {
namespace {

constexpr double precision = 1e-16;
constexpr int most_terms = 100'000;

double density(double shape, double x) { return std::exp(shape * std::log(x) - x - log_gamma(shape)); }

double by_series(double shape, double x) {
  double term = 1 / shape, sum = term;
  for (int i = 1; i < most_terms && term > sum * precision; ++i) {
    term *= x / (shape + i);
    sum += term;
  }
  return sum * density(shape, x);
}

/// 1 - P, by Lentz's method.
double by_fraction(double shape, double x) {
  constexpr double tiny = std::numeric_limits<double>::min() / precision;
  double b = x + 1 - shape, c = 1 / tiny, d = 1 / b, product = d;
  for (int i = 1; i < most_terms; ++i) {
    const double a = -i * (i - shape);
    b += 2;
    d = a * d + b;
    c = b + a / c;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = std::abs(c) < tiny ? tiny : c;
    product *= d * c;
    if (std::abs(d * c - 1) < precision * 4) break;
  }
  return product * density(shape, x);
}

}  // namespace

double incomplete_gamma(double shape, double x) {
  if (x <= 0) return 0;
  return x < shape + 1 ? by_series(shape, x) : 1 - by_fraction(shape, x);
}

double gamma_quantile(double shape, double probability) {
  if (probability <= 0) return 0;
  double low = 0, high = std::max(1.0, shape);
  while (incomplete_gamma(shape, high) < probability) {
    low = high;
    high *= 2;
  }
  for (int step = 0; step < 200 && high - low > 1e-14 * high; ++step) {
    const double middle = (low + high) / 2;
    (incomplete_gamma(shape, middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace assay::core
