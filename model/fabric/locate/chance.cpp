// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/chance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "model/fabric/locate/evidence.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr double least_width = 0.5;  // maxima of few elements may all be 0

/// std::shuffle differs between standard libraries.
void shuffle(std::vector<double>& values, std::mt19937_64& random) {
  for (std::size_t at = values.size(); at > 1; --at)
    std::swap(values[at - 1], values[static_cast<std::size_t>(random() % at)]);
}

double largest_gain(Evidence& evidence, const std::vector<double>& dealt) {
  std::vector<double> losses(dealt);
  for (std::size_t at = 0; at < losses.size(); ++at) losses[at] *= evidence.scales()[at];
  evidence.set_losses(losses);
  double largest = 0;
  for (const Gain& one : evidence.sweep()) largest = std::max(largest, one.gain);
  return largest;
}

}  // namespace

double Chance::gain(double probability) const {
  return location - width * std::log(-std::log1p(-probability));
}

double Chance::probability(double gain) const { return -std::expm1(-std::exp((location - gain) / width)); }

Chance chance_of(const Incidence& incidence, std::span<const double> residuals,
                 std::span<const double> scales, const Noise& noise, int deals, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> dealt(residuals.begin(), residuals.end());
  Evidence evidence(incidence, dealt, {scales.begin(), scales.end()}, noise);
  double sum = 0, squares = 0;
  for (int deal = 0; deal < deals; ++deal) {
    shuffle(dealt, random);
    const double largest = largest_gain(evidence, dealt);
    sum += largest;
    squares += largest * largest;
  }
  const double mean = sum / deals, variance = std::max(0.0, squares / deals - mean * mean);
  Chance chance;
  chance.width = std::max(least_width, std::sqrt(6 * variance) / std::numbers::pi);
  chance.location = mean - std::numbers::egamma * chance.width;
  return chance;
}

}  // namespace assay::model::fabric::locate
