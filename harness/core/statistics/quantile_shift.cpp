// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/quantile_shift.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/binomial.hpp"

namespace assay::core {
namespace {

std::int64_t beyond(std::span<const double> sorted, double threshold) {
  return sorted.end() - std::ranges::lower_bound(sorted, threshold);
}

/// The largest value that is above the quantile with a probability of at most `error`: how many are beyond
/// it. None where even the smallest may be.
std::optional<std::size_t> beyond_lower_bound(std::size_t n, double q, double error) {
  const auto count = static_cast<std::int64_t>(n);
  for (std::int64_t above = 0; above < count; ++above)
    if (1 - binomial_at_most(count, 1 - q, above) <= error) return static_cast<std::size_t>(above);
  return std::nullopt;
}

/// The smallest value that is below the quantile with a probability of at most `error`, likewise.
std::optional<std::size_t> beyond_upper_bound(std::size_t n, double q, double error) {
  const auto count = static_cast<std::int64_t>(n);
  std::int64_t above = -1;
  while (above + 1 < count && binomial_at_most(count, 1 - q, above + 1) <= error) ++above;
  return above < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(above));
}

/// The value that so many are beyond.
double value_at(std::span<const double> sorted, std::size_t above) {
  return sorted[sorted.size() - 1 - above];
}

double value_at(std::span<const double> sorted, std::optional<std::size_t> above, double otherwise) {
  return above ? value_at(sorted, *above) : otherwise;
}

/// The smallest value above which at most 1 - q of the sample is.
double sample_quantile(std::span<const double> sorted, double q) {
  constexpr double rounding = 1e-9;
  return value_at(sorted, static_cast<std::size_t>((1 - q) * static_cast<double>(sorted.size()) + rounding));
}

/// Bounds of each sample's quantile that bound the difference from above and from below; infinite where a
/// sample has none.
struct PairedBounds {
  double lower_of_a = -HUGE_VAL, upper_of_b = HUGE_VAL;
  double upper_of_a = HUGE_VAL, lower_of_b = -HUGE_VAL;
};

PairedBounds bounds_of(std::span<const double> a, std::span<const double> b, double q, double alpha) {
  const double outermost = share_of_outermost * alpha;
  PairedBounds bounds;
  if (const auto above = beyond_upper_bound(b.size(), q, outermost)) {
    const double left = alpha - binomial_at_most(std::ssize(b), 1 - q, static_cast<std::int64_t>(*above));
    bounds.upper_of_b = value_at(b, *above);
    bounds.lower_of_a = value_at(a, beyond_lower_bound(a.size(), q, left), -HUGE_VAL);
  }
  bounds.upper_of_a = value_at(a, beyond_upper_bound(a.size(), q, outermost), HUGE_VAL);
  bounds.lower_of_b = value_at(b, beyond_lower_bound(b.size(), q, alpha - outermost), -HUGE_VAL);
  return bounds;
}

}  // namespace

double bounded_quantile(std::size_t values, double wanted, double alpha) {
  constexpr double rounding = 1e-12;
  const double highest = std::pow(share_of_outermost * alpha, 1 / static_cast<double>(values));
  return std::min(wanted, highest - rounding);
}

QuantileShift quantile_shift(std::span<const double> a, std::span<const double> b, double q, double alpha) {
  const PairedBounds bounds = bounds_of(a, b, q, alpha);
  QuantileShift shift{.quantile = q,
                      .shift = sample_quantile(b, q) - sample_quantile(a, q),
                      .upper = bounds.upper_of_b - bounds.lower_of_a};
  if (const double lower = bounds.lower_of_b - bounds.upper_of_a; std::isfinite(lower)) shift.lower = lower;
  return shift;
}

ShareBeyond share_beyond(std::span<const double> a, std::span<const double> b, double q, double bound,
                         double alpha) {
  const PairedBounds bounds = bounds_of(a, b, q, alpha);
  const std::int64_t n = std::ssize(b), most = beyond(b, bounds.lower_of_a + bound),
                     least = beyond(b, bounds.upper_of_a + bound);
  ShareBeyond share{.count = beyond(b, sample_quantile(a, q) + bound)};
  if (most < n) share.upper = binomial_share(n, most, share_of_outermost * alpha);
  if (least > 0) share.lower = binomial_share(n, least - 1, 1 - (1 - share_of_outermost) * alpha);
  return share;
}

double probability_quantile_not_above(std::span<const double> a, std::span<const double> b, double q,
                                      double bound) {
  const std::int64_t m = std::ssize(a), n = std::ssize(b);
  double least = 1;
  for (std::int64_t above = 0; above < m; ++above) {
    const double of_a = binomial_at_most(m, 1 - q, above) / share_of_outermost;
    if (of_a >= least) break;
    const std::int64_t count = beyond(b, value_at(a, static_cast<std::size_t>(above)) + bound);
    const double of_b = (1 - binomial_at_most(n, 1 - q, count - 1)) / (1 - share_of_outermost);
    least = std::min(least, std::max(of_a, of_b));
  }
  return least;
}

}  // namespace assay::core
