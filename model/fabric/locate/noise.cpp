// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "harness/core/statistics/log_gamma.hpp"
#include "harness/core/statistics/order_statistic.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr std::array<double, 6> degrees_tried = {2, 3, 4, 6, 10, 30};
constexpr int rounds = 20;
constexpr double normal_quartile = 0.6745;  // median of |z|

double scale_for(std::span<const double> residuals, double degrees, double scale, double least) {
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    for (const double residual : residuals) {
      const double z = residual / scale;
      sum += (degrees + 1) / (degrees + z * z) * residual * residual;
    }
    scale = std::max(least, std::sqrt(sum / static_cast<double>(residuals.size())));
  }
  return scale;
}

/// ln of the whole density, constants included.
double log_likelihood(std::span<const double> residuals, const Noise& noise) {
  double sum = noise.log_peak() * static_cast<double>(residuals.size());
  for (const double residual : residuals) sum += noise.log_density(residual);
  return sum;
}

}  // namespace

double Noise::log_density(double residual) const {
  const double z = residual / scale;
  return -(degrees + 1) / 2 * std::log1p(z * z / degrees);
}

double Noise::log_peak() const {
  return core::log_gamma((degrees + 1) / 2) - core::log_gamma(degrees / 2) -
         std::log(degrees * std::numbers::pi) / 2 - std::log(scale);
}

Noise fit_noise(std::span<const double> residuals, double least_scale) {
  if (residuals.empty()) return {least_scale, degrees_tried.back()};
  std::vector<double> size;
  for (const double residual : residuals) size.push_back(std::fabs(residual));
  const double start = std::max(least_scale, core::upper_median(std::move(size)) / normal_quartile);
  Noise best;
  double best_likelihood = 0;
  for (const double degrees : degrees_tried) {
    const Noise noise = {scale_for(residuals, degrees, start, least_scale), degrees};
    const double likelihood = log_likelihood(residuals, noise);
    if (best.degrees == 0 || likelihood > best_likelihood) {
      best = noise;
      best_likelihood = likelihood;
    }
  }
  return best;
}

}  // namespace assay::model::fabric::locate
