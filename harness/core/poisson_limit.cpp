// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/poisson_limit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

/// P(X <= events) for a Poisson variable of this mean, which is at least `events`: terms fall away from the
/// highest.
double poisson_at_most(std::int64_t events, double mean) {
  const double highest = static_cast<double>(events);
  double term = std::exp(highest * std::log(mean) - mean - std::lgamma(highest + 1)), sum = 0;
  for (double count = highest; count >= 0 && term > sum * 1e-17; --count) {
    sum += term;
    term *= count / mean;
  }
  return sum;
}

}  // namespace

double poisson_upper_limit(std::int64_t events, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    usage_error(fmt::format("a confidence lies between 0 and 1, got {}", confidence));
  if (events < 0) usage_error(fmt::format("{} errors", events));
  if (events == 0) return -std::log1p(-confidence);
  double low = 0, high = static_cast<double>(events) + 1;
  while (poisson_at_most(events, high) > 1 - confidence) {
    low = high;
    high *= 2;
  }
  // The probability falls as the mean grows.
  for (int step = 0; step < 200 && high - low > 1e-12 * high; ++step) {
    const double middle = (low + high) / 2;
    (poisson_at_most(events, middle) > 1 - confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace assay::core
