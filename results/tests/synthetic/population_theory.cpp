// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/population_theory.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "harness/core/statistics/student_t.hpp"
#include "results/judge/population/population_comparison.hpp"

namespace assay::results::synthetic {
namespace {

constexpr int values_drawn = 40'000, widths_drawn = 2'000;
constexpr double expected_power = 0.8;

std::vector<double> sorted_values(const PopulationNoise& noise, bool of_baseline, std::mt19937_64& random) {
  std::vector<double> values(values_drawn);
  for (double& value : values) value = draw_value(noise, of_baseline, random);
  std::ranges::sort(values);
  return values;
}

/// The moments of the shares of `among` below each of `values` + `moved`.
struct Placements {
  double mean = 0, variance = 0;
};

Placements placements(const std::vector<double>& values, const std::vector<double>& among, double moved) {
  const auto n = static_cast<double>(values.size());
  Placements moments;
  std::size_t below = 0;
  for (const double value : values) {
    while (below < among.size() && among[below] < value + moved) ++below;
    const double share = static_cast<double>(below) / static_cast<double>(among.size());
    moments.mean += share / n;
    moments.variance += share * share / n;
  }
  moments.variance -= moments.mean * moments.mean;
  return moments;
}

/// The shift that makes b as large as a.
double shift_of(const std::vector<double>& a, const std::vector<double>& b) {
  double low = a.front() - b.back(), high = a.back() - b.front();
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (placements(b, a, middle).mean < 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The width of an interval to come, over its expectation.
std::vector<double> drawn_widths(double degrees) {
  std::mt19937_64 random(20261126);
  std::chi_squared_distribution<double> squares(degrees);
  std::vector<double> widths(widths_drawn);
  for (double& width : widths) width = std::sqrt(squares(random) / degrees);
  return widths;
}

/// The least distance of a bound, or of one on either side, that an interval of this half width keeps with
/// expected_power; `error`: of its middle.
double bound_kept(const std::vector<double>& widths, double half, double error, bool two_sided) {
  double low = 0, high = 100 * half;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    double power = 0;
    for (const double width : widths) {
      const double apart = (middle - width * half) / error;
      const double kept = core::normal_probability(apart);
      power += two_sided ? std::max(0.0, 2 * kept - 1) : kept;
    }
    (power < expected_power * widths_drawn ? low : high) = middle;
  }
  return high;
}

}  // namespace

PopulationDeviations population_deviations(const PopulationNoise& noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<double> a = sorted_values(noise, true, random), b = sorted_values(noise, false, random);
  const double shift = shift_of(a, b);
  const double near =
      0.1 * (a[values_drawn * 3 / 4] - a[values_drawn / 4]);  // a tenth of the quartiles' range
  const double slope =
      (placements(b, a, shift + near).mean - placements(b, a, shift - near).mean) / (2 * near);
  return {std::sqrt(placements(a, b, -shift).variance) / slope,
          std::sqrt(placements(b, a, shift).variance) / slope};
}

PlannedPopulations plan_populations(const PopulationDeviations& deviations, PopulationSizes sizes) {
  const auto of_a = static_cast<std::size_t>(sizes.a), of_b = static_cast<std::size_t>(sizes.b);
  const auto m = static_cast<double>(core::counted_shift_values(of_a, of_b));
  const auto n = static_cast<double>(core::counted_shift_values(of_b, of_a));
  const double square_a = deviations.a * deviations.a, square_b = deviations.b * deviations.b;
  const double of_interval = square_a / m + square_b / n;
  const double degrees = of_interval * of_interval /
                         (square_a * square_a / m / m / (m - 1) + square_b * square_b / n / n / (n - 1));
  const double half =
      core::student_t_quantile(1 - population_alpha, std::min(m, n) - 1) * std::sqrt(of_interval);
  const double error = std::sqrt(square_a / sizes.a + square_b / sizes.b);
  const std::vector<double> widths = drawn_widths(degrees);
  return {bound_kept(widths, half, error, true), bound_kept(widths, half, error, false)};
}

}  // namespace assay::results::synthetic
