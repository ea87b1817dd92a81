// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/beta_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/core/statistics/log_gamma.hpp"

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

double log_odds(double probability) {
  constexpr double least = 1e-15;
  const double inside = std::clamp(probability, least, 1 - least);
  return std::log(inside / (1 - inside));
}

}  // namespace

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double log_front =
      log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  // The fraction converges fast only below the mean; above it, the symmetric form is used.
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * continued_fraction(x, a, b) / a;
  return 1 - std::exp(log_front) * continued_fraction(1 - x, b, a) / b;
}

// I_q falls monotonically with u. Its log odds are nearly a line in u, as those of a normal distribution are
// in its argument (slope 1.702 in the middle): a secant finds the cell of a grid that holds u in about eight
// steps. Steps of one half end what a secant does not.
double fractional_rank(double q, double n, double probability) {
  constexpr std::int64_t cells = std::int64_t{1} << 36;  // each far below one rank
  constexpr int most_secants = 16;
  const double wanted = log_odds(probability), usual_slope = -1.702 / std::sqrt(q * (1 - q) / (n + 1));
  std::int64_t low = 0, high = cells;
  double guess = q + wanted / usual_slope, u_before = 0, off_before = 0;
  for (int step = 0; high - low > 1; ++step) {
    const std::int64_t middle = low + (high - low) / 2;
    const bool secant = step < most_secants && guess > 0 && guess < 1;
    const std::int64_t at =
        secant ? std::clamp(std::lround(guess * static_cast<double>(cells)), low + 1, high - 1) : middle;
    const double u = static_cast<double>(at) / static_cast<double>(cells);
    const double found = incomplete_beta(q, (n + 1) * u, (n + 1) * (1 - u));
    (found > probability ? low : high) = at;
    const double off = log_odds(found) - wanted;
    const double slope = step == 0 ? usual_slope : (off - off_before) / (u - u_before);
    guess = u - off / slope;
    u_before = u, off_before = off;
  }
  return (static_cast<double>(low) + 0.5) / static_cast<double>(cells);
}

}  // namespace assay::core
