// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "harness/core/statistics/log_gamma.hpp"
#include "harness/core/statistics/order_statistic.hpp"
#include "harness/core/statistics/root_sum_of_squares.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "results/judge/fleet/fleet_noise.hpp"

namespace assay::results {
namespace {

/// Runs beyond which the sum is never the worse way.
constexpr std::size_t few_runs = 4;
constexpr std::size_t draws = 80;
constexpr double found_in = 0.9;
/// With one run of the whole fleet, what of the spread lasts is unknown: all but this may.
constexpr double share_unknown = 0.9;
/// Degrees of freedom beyond which t is as good as normal.
constexpr double many_degrees = 500;

/// No more than these: where places are few, what lasts cannot be known.
constexpr double longest_reach = 40;
constexpr double beyond_reach = 1e-8;

double tail_quantile(double error, double degrees) {
  return degrees > many_degrees ? -core::normal_quantile(error)
                                : -core::student_t_quantile(error, std::max(1.0, degrees));
}

/// Even steps over what sound places add, the slow side farther.
constexpr int slow_steps = 48, fast_steps = 24;

double t_density(double x, double degrees) {
  const double log_norm =
      core::log_gamma((degrees + 1) / 2) - core::log_gamma(degrees / 2) - 0.5 * std::log(degrees * M_PI);
  return std::exp(log_norm - (degrees + 1) / 2 * std::log1p(x * x / degrees));
}

/// Within (0, 1), and always the same: SplitMix64 of the draw and the run.
double fixed_draw(std::size_t draw, std::size_t run) {
  std::uint64_t state = 0x9E3779B97F4A7C15U * (1 + draw + 0x10001U * run);
  state = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27U)) * 0x94D049BB133111EBU;
  return (static_cast<double>((state ^ (state >> 31U)) >> 11U) + 0.5) * 0x1p-53;
}

/// The smallest loss that one draw of noise shows.
double shown_by(const MetricNoise& noise, std::span<const double> drawn, Joined how, double error) {
  std::vector<double> values(drawn.size());
  const std::vector<double> widened(drawn.size(), 1);
  const PlaceSeries series{values, widened};
  double low = 0, high = 64 * noise.scale;
  for (int time = 0; time < 14; ++time) {
    const double loss = (low + high) / 2;
    for (std::size_t run = 0; run < drawn.size(); ++run) values[run] = drawn[run] - loss;
    (PlaceEvidence(noise, series).as_slow(how, 0) <= error ? high : low) = loss;
  }
  return high;
}

double shown_in_most(const MetricNoise& noise, std::size_t runs, Joined how, double error) {
  std::vector<double> losses;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::vector<double> drawn;
    for (std::size_t run = 0; run < runs; ++run)
      drawn.push_back(noise.scale * noise.changing *
                      noise.scores.value_at(core::normal_quantile(fixed_draw(draw, run))));
    losses.push_back(shown_by(noise, drawn, how, error));
  }
  return core::at_rank(losses, static_cast<std::size_t>(found_in * draws));
}

}  // namespace

double PlaceEvidence::joined_score(double shift) const {
  double sum = 0;
  for (std::size_t run = from_; run < series_.values.size(); ++run)
    sum += noise_.score(series_.values[run], series_.widened[run], shift);
  return sum / std::sqrt(static_cast<double>(runs()));
}

double PlaceEvidence::as_slow(Joined how, double shift) const {
  if (how == Joined::sum) return core::normal_probability(joined_score(shift));
  double least = -std::numeric_limits<double>::infinity();
  for (std::size_t run = from_; run < series_.values.size(); ++run)
    least = std::max(least, noise_.score(series_.values[run], series_.widened[run], shift));
  return std::pow(core::normal_probability(least), static_cast<double>(runs()));
}

double PlaceEvidence::worst_lasting(Joined how, const MetricNoise& noise) const {
  const PlaceEvidence evidence(noise, series_, runs());
  if (!(noise.lasting > 0)) return evidence.as_slow(how, 0);
  double probability = 0, weight = 0;
  for (int step = -slow_steps; step <= fast_steps; ++step) {
    const double at = step * noise.reach / slow_steps, density = t_density(at, noise.degrees);
    probability += density * evidence.as_slow(how, at * noise.lasting);
    weight += density;
  }
  return probability / weight;
}

double PlaceEvidence::as_slow_as_sound(Joined how) const {
  const double probability = worst_lasting(how, noise_);
  if (noise_.rounds > 1 || runs() < 2) return probability;
  MetricNoise lasts = noise_;
  lasts.lasting = std::sqrt(share_unknown) * noise_.scale;
  lasts.changing = std::sqrt(1 - share_unknown);
  lasts.degrees = std::max<double>(1, static_cast<double>(noise_.places) - 1);
  lasts.reach = lasting_reach(lasts.degrees);
  return std::max(probability, worst_lasting(how, lasts));
}

std::optional<double> PlaceEvidence::shift_of(double score) const {
  if (runs() == 0) return std::nullopt;
  const auto [least, most] =
      std::minmax_element(series_.values.begin() + static_cast<std::ptrdiff_t>(from_), series_.values.end());
  const double reach = 64 * noise_.scale;
  double low = *least - reach, high = *most + reach;  // the score falls as the shift rises
  for (int time = 0; time < 40; ++time) {
    const double middle = (low + high) / 2;
    (joined_score(middle) > score ? low : high) = middle;
  }
  return (low + high) / 2;
}

Detection detection_of(const MetricNoise& noise, std::size_t runs, double error) {
  Detection best{Joined::sum, shown_in_most(noise, runs, Joined::sum, error)};
  if (runs <= few_runs) {
    const double other = shown_in_most(noise, runs, Joined::least_bad, error);
    if (other < best.loss) best = {Joined::least_bad, other};
  }
  const double lasting = lasting_limit(noise, error) + lasting_limit(noise, 1 - found_in);
  best.loss = core::root_sum_of_squares(best.loss, lasting);
  return best;
}

double lasting_reach(double degrees) { return std::min(longest_reach, tail_quantile(beyond_reach, degrees)); }

double lasting_limit(const MetricNoise& noise, double error) {
  return noise.lasting > 0 ? noise.lasting * tail_quantile(error, noise.degrees) : 0;
}

}  // namespace assay::results
