// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/equivalence.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/log_gamma.hpp"
#include "harness/core/statistics/margin.hpp"
#include "harness/core/statistics/rank_shift.hpp"
#include "harness/core/statistics/student_t.hpp"

namespace assay::core {
namespace {

constexpr double wanted_power = 0.85;          // of Student's interval alone: that of ranks costs some points
constexpr double most_spread_degrees = 4'000;  // beyond them the deviation is as good as known

struct RunMoments {
  double n = 0, mean = 0, squares = 0;  // squares: about the mean
};

RunMoments run_moments(std::span<const double> values) {
  RunMoments moments{.n = static_cast<double>(values.size())};
  for (const double value : values) moments.mean += value / moments.n;
  for (const double value : values) moments.squares += (value - moments.mean) * (value - moments.mean);
  return moments;
}

/// ln of the density of the sample deviation over the true one, s / sigma = u, with k degrees of freedom.
double log_density(double u, double k) {
  return std::log(2.0) + k / 2 * std::log(k / 2) - log_gamma(k / 2) + (k - 1) * std::log(u) - k * u * u / 2;
}

/// Student's and that of ranks in one; none where there are too few runs for either.
std::optional<ShiftInterval> shift_interval(std::span<const double> a, std::span<const double> b,
                                            double alpha) {
  const auto fewer = static_cast<std::int64_t>(std::min(a.size(), b.size()));
  const auto ranks = fewer < fewest_runs ? std::nullopt : rank_shift_interval(a, b, alpha);
  if (!ranks) return std::nullopt;
  const RunMoments of_a = run_moments(a), of_b = run_moments(b);
  const double error = std::sqrt(of_a.squares / (of_a.n - 1) / of_a.n + of_b.squares / (of_b.n - 1) / of_b.n);
  const double half = student_t_quantile(1 - alpha, static_cast<double>(fewer - 1)) * error;
  const double shift = of_b.mean - of_a.mean;
  return ShiftInterval{std::min(shift - half, ranks->lower), std::max(shift + half, ranks->upper)};
}

/// Moments of one side about its own means: of places (x) and values (y).
struct PlacedMoments {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
};

PlacedMoments placed_moments(std::span<const double> places, std::span<const double> values) {
  const RunMoments x = run_moments(places), y = run_moments(values);
  PlacedMoments moments{.mean_x = x.mean, .mean_y = y.mean, .xx = x.squares, .yy = y.squares};
  for (std::size_t i = 0; i < values.size(); ++i) moments.xy += (places[i] - x.mean) * (values[i] - y.mean);
  return moments;
}

/// Difference of b and a without a drift that both share, linear in `order`; none where it is not known, or
/// all runs of a side started together.
std::optional<ShiftInterval> shift_without_drift(std::span<const double> a, std::span<const double> b,
                                                 const RunOrder& order, double alpha) {
  if (order.a.size() != a.size() || order.b.size() != b.size()) return std::nullopt;
  const PlacedMoments of_a = placed_moments(order.a, a), of_b = placed_moments(order.b, b);
  const double degrees = static_cast<double>(a.size() + b.size()) - 3, xx = of_a.xx + of_b.xx;
  if (degrees < 1 || !(xx > 0)) return std::nullopt;
  const double slope = (of_a.xy + of_b.xy) / xx, apart = of_b.mean_x - of_a.mean_x;
  const double residuals = std::max(0.0, of_a.yy + of_b.yy - slope * (of_a.xy + of_b.xy));
  const double leverage =
      1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size()) + apart * apart / xx;
  const double half = student_t_quantile(1 - alpha, degrees) * std::sqrt(residuals / degrees * leverage);
  const double shift = of_b.mean_y - of_a.mean_y - slope * apart;
  return ShiftInterval{shift - half, shift + half};
}

Equivalence verdict_on(const ShiftInterval& shift, double bound) {
  if (shift.lower > -bound && shift.upper < bound) return Equivalence::equivalent;
  if (shift.lower >= bound) return Equivalence::higher;
  return shift.upper <= -bound ? Equivalence::lower : Equivalence::not_enough_data;
}

}  // namespace

EquivalenceResult judge_equivalence(std::span<const double> a, std::span<const double> b, double margin,
                                    const RunOrder& order, double alpha) {
  EquivalenceResult result{.runs_of_a = std::ssize(a), .runs_of_b = std::ssize(b)};
  if (a.empty() || b.empty()) return result;
  const RunMoments of_a = run_moments(a), of_b = run_moments(b);
  result.ratio = std::exp(of_b.mean - of_a.mean);
  if (const double degrees = of_a.n + of_b.n - 2; degrees > 0)
    result.deviation = std::sqrt((of_a.squares + of_b.squares) / degrees);
  auto shift = shift_interval(a, b, alpha);
  if (!shift) return result;
  const double bound = is_margin(margin) ? std::log1p(margin) : 0;
  const Equivalence without_drift = verdict_on(*shift, bound);
  if (const auto drift_free = shift_without_drift(a, b, order, alpha))
    shift =
        ShiftInterval{std::min(shift->lower, drift_free->lower), std::max(shift->upper, drift_free->upper)};
  result.lower = std::exp(shift->lower);
  result.upper = std::exp(shift->upper);
  result.smallest_margin = std::expm1(std::max(std::abs(shift->lower), std::abs(shift->upper)));
  if (!is_margin(margin)) return result;
  result.verdict = verdict_on(*shift, bound);
  result.drift_could_hide = result.verdict != without_drift;
  return result;
}

double decision_power(const IntervalPlan& plan, double difference, double margin, double alpha) {
  const double bound = std::log1p(margin), apart = std::abs(difference), error = plan.error;
  const double t = student_t_quantile(1 - alpha, plan.interval_degrees);
  const double degrees = std::min(plan.spread_degrees, most_spread_degrees);
  if (!(error > 0)) return 1;
  const auto decided = [&](double u) {
    const double half = t * u * error;
    if (apart >= bound) return normal_probability((apart - bound - half) / error);
    return std::max(0.0, normal_probability((bound - half - apart) / error) -
                             normal_probability((half - bound - apart) / error));
  };
  const double last = 1 + 10 / std::sqrt(2 * degrees);  // beyond it hardly any deviation falls
  constexpr int steps = 500;                            // of the midpoint rule
  double power = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = last * (i + 0.5) / steps;
    power += std::exp(log_density(u, degrees)) * decided(u) * last / steps;
  }
  return std::clamp(power, 0.0, 1.0);
}

double decision_power(std::int64_t runs, double difference, double deviation, double margin, double alpha) {
  if (runs < fewest_runs) return 0;
  const auto n = static_cast<double>(runs);
  return decision_power({deviation * std::sqrt(2 / n), 2 * (n - 1), n - 1}, difference, margin, alpha);
}

double smallest_difference_shown(const IntervalPlan& plan, double margin, double power) {
  const double bound = std::log1p(margin);
  double unseen = 0, seen = plan.error;
  while (seen < 1e6 * plan.error && decision_power(plan, bound + seen, margin) < power) seen *= 2;
  for (int i = 0; i < 30 && seen > 0; ++i) {
    const double middle = (unseen + seen) / 2;
    (decision_power(plan, bound + middle, margin) < power ? unseen : seen) = middle;
  }
  return std::expm1(bound + seen);
}

std::optional<std::int64_t> runs_needed(double difference, double deviation, double margin, double alpha) {
  const auto suffices = [&](std::int64_t runs) {
    return decision_power(runs, difference, deviation, margin, alpha) >= wanted_power;
  };
  if (!std::isfinite(difference) || !is_margin(margin)) return std::nullopt;
  std::int64_t enough = fewest_runs;
  while (enough <= most_planned_runs && !suffices(enough)) enough *= 2;
  if (enough > most_planned_runs) return std::nullopt;
  std::int64_t too_few = std::max(fewest_runs - 1, enough / 2);
  while (enough - too_few > 1) {
    const std::int64_t middle = (enough + too_few) / 2;
    (suffices(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace assay::core
