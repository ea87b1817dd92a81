// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/tukey.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

constexpr double noise_floor = 0.01;  // relative: no piece is spent on less than timers repeat
constexpr double tukey_constant = 4.685;
constexpr double normal_of_median = 1.4826;
constexpr double least_weight = 1e-6;  // keeps a line determined where all its points are outliers
constexpr double least_slope = 0.3;    // mean, of psi: more late rows than that and nothing is known

/// 1 - (u / constant)^2, and 0 beyond it.
double bell(double u) { return std::max(0.0, 1 - u * u / (tukey_constant * tukey_constant)); }

double scale_of_magnitudes(const std::vector<double>& magnitudes, std::size_t errors, double spent) {
  const auto rows = static_cast<double>(errors);
  const double lost = rows > spent ? std::sqrt(rows / (rows - spent)) : 1;
  return std::max(normal_of_median * core::quantile_of(magnitudes, 0.5) * lost, noise_floor);
}

/// The derivative of psi(u) = u bell(u)^2.
double slope_of_psi(double u) {
  const double b = bell(u);
  return b > 0 ? b * (5 * b - 4) : 0;
}

}  // namespace

std::vector<double> relative_errors(std::span<const TimedSize> points, std::span<const Segment> segments) {
  std::vector<double> errors;
  errors.reserve(points.size());
  for (const TimedSize& point : points)
    errors.push_back(point.time_us / std::max(segments_us(segments, point.size_bytes), 1e-9) - 1);
  return errors;
}

double scale_of(const std::vector<double>& errors, double spent) {
  std::vector<double> magnitudes;
  for (const double error : errors) magnitudes.push_back(std::abs(error));
  return scale_of_magnitudes(magnitudes, errors.size(), spent);
}

double early_scale_of(const std::vector<double>& errors, double spent) {
  std::vector<double> early;
  for (const double error : errors)
    if (error <= 0) early.push_back(-error);
  const double of_all = scale_of(errors, spent);
  return early.empty() ? of_all : std::min(of_all, scale_of_magnitudes(early, errors.size(), spent));
}

std::vector<double> tukey_weights(const std::vector<double>& errors, double scale) {
  std::vector<double> weights;
  for (const double error : errors)
    weights.push_back(std::max(least_weight, bell(error / scale) * bell(error / scale)));
  return weights;
}

double tukey_loss(const std::vector<double>& errors, double scale) {
  double loss = 0;
  for (const double error : errors) {
    const double b = bell(error / scale);
    loss += tukey_constant * tukey_constant / 3 * (1 - b * b * b);
  }
  return loss;
}

double tukey_variance(const std::vector<double>& errors, double scale) {
  const auto rows = static_cast<double>(errors.size());
  double psi_squares = 0, slopes = 0, slope_squares = 0;
  for (const double error : errors) {
    const double u = error / scale, b = bell(u), slope = slope_of_psi(u);
    psi_squares += u * u * b * b * b * b / rows;
    slopes += slope / rows;
    slope_squares += slope * slope / rows;
  }
  const double mean = std::max(slopes, least_slope);
  // Huber's correction for few rows, of two coefficients.
  const double few = 1 + 2 / rows * std::max(0.0, slope_squares - slopes * slopes) / (mean * mean);
  return few * few * psi_squares / (mean * mean);
}

}  // namespace assay::model::fit
