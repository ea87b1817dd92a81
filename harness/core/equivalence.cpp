// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/equivalence.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/student_t.hpp"

namespace assay::core {
namespace {

constexpr double wanted_power = 0.8;

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Moments moments;
  for (const double value : values) moments.mean += value / n;
  for (const double value : values)
    moments.deviation += (value - moments.mean) * (value - moments.mean) / (n - 1);
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

/// ln of the density of the sample deviation over the true one, s / sigma = u, with k degrees of freedom.
double log_density(double u, double k) {
  int sign = 0;
  return std::log(2.0) + k / 2 * std::log(k / 2) - lgamma_r(k / 2, &sign) + (k - 1) * std::log(u) -
         k * u * u / 2;
}

}  // namespace

double equivalence_power(std::int64_t n, double mean, double deviation, double margin, double alpha) {
  const double bound = std::log1p(margin), root = std::sqrt(static_cast<double>(n));
  const auto degrees = static_cast<double>(n - 1);
  const double t = student_t_quantile(1 - alpha, degrees);
  const auto accepted = [&](double u) {
    const double room = bound - t * u * deviation / root;
    return normal_probability((room - mean) * root / deviation) -
           normal_probability((-room - mean) * root / deviation);
  };
  // Beyond it no mean is accepted; and beyond the second hardly any deviation falls.
  const double last = std::min(bound * root / (t * deviation), 1 + 10 / std::sqrt(2 * degrees));
  constexpr int steps = 2000;  // of the midpoint rule
  double power = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = last * (i + 0.5) / steps;
    power += std::exp(log_density(u, degrees)) * accepted(u) * last / steps;
  }
  return std::clamp(power, 0.0, 1.0);
}

EquivalenceResult judge_equivalence(std::span<const double> log_ratios, double margin, double alpha) {
  EquivalenceResult result{.pairs = static_cast<std::int64_t>(log_ratios.size())};
  if (log_ratios.empty()) return result;
  if (log_ratios.size() == 1) {
    result.ratio = std::exp(log_ratios.front());
    return result;
  }
  const Moments seen = moments_of(log_ratios);
  const auto n = static_cast<double>(log_ratios.size());
  const double half = student_t_quantile(1 - alpha, n - 1) * seen.deviation / std::sqrt(n);
  const double low = seen.mean - half, high = seen.mean + half, bound = std::log1p(margin);
  result.ratio = std::exp(seen.mean);
  result.lower = std::exp(low);
  result.upper = std::exp(high);
  result.smallest_margin = std::expm1(std::max(std::abs(low), std::abs(high)));
  if (low > -bound && high < bound)
    result.verdict = Equivalence::equivalent;
  else if (low >= bound)
    result.verdict = Equivalence::higher;
  else if (high <= -bound)
    result.verdict = Equivalence::lower;
  return result;
}

std::optional<std::int64_t> pairs_needed(std::span<const double> log_ratios, double margin, double alpha) {
  if (log_ratios.size() < 2) return std::nullopt;
  const Moments seen = moments_of(log_ratios);
  // Power grows with the pairs where the mean lies within the margin only.
  if (std::abs(seen.mean) >= std::log1p(margin)) return std::nullopt;
  const auto suffices = [&](std::int64_t n) {
    return equivalence_power(n, seen.mean, seen.deviation, margin, alpha) >= wanted_power;
  };
  std::int64_t enough = 2;
  while (enough <= most_planned_pairs && !suffices(enough)) enough *= 2;
  if (enough > most_planned_pairs) return std::nullopt;
  std::int64_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::int64_t middle = (enough + too_few) / 2;
    (suffices(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace assay::core
