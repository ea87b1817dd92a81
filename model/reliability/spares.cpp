// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/spares.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/poisson_limit.hpp"

namespace assay::model::reliability {

using core::poisson_at_most;

namespace {

struct Cumulated {
  std::int64_t count = 0;
  double probability = 0;  // of at most so many
};

/// From 0 on, until `ended(count, probability)`.
template <class Ended>
Cumulated cumulated(const std::vector<NodeLoss>& losses, Ended ended) {
  double mean = 0;
  for (const NodeLoss& loss : losses) mean += loss.per_day * loss.repair_days;
  constexpr double large = 1e200;
  std::int64_t widest = 1;
  for (const NodeLoss& loss : losses) widest = std::max(widest, loss.nodes);
  const auto window = static_cast<std::size_t>(widest) + 1;
  // Of the last counts, each its probability over e^-mean, times the scale.
  std::vector<double> weights(window, 0);
  weights[0] = 1;
  double sum = 1, log_scale = 0;
  for (std::int64_t count = 0;; ++count) {
    const double probability = std::min(1.0, sum * std::exp(log_scale - mean));
    // The sum may end just below 1 by rounding.
    if (ended(count, probability) || probability > 1 - 1e-13) return {count, probability};
    const std::int64_t next = count + 1;
    double weight = 0;
    for (const NodeLoss& loss : losses)
      if (loss.nodes <= next)
        weight += loss.per_day * loss.repair_days * static_cast<double>(loss.nodes) *
                  weights[static_cast<std::size_t>(next - loss.nodes) % window];
    weight /= static_cast<double>(next);
    weights[static_cast<std::size_t>(next) % window] = weight;
    sum += weight;
    if (sum < large) continue;
    for (double& one : weights) one /= large;
    sum /= large;
    log_scale += std::log(large);
  }
}

}  // namespace

std::int64_t spares_for(double per_unit_day, double units, double repair_days, double probability) {
  const double in_repair = per_unit_day * units * repair_days;
  std::int64_t enough = 1;
  while (poisson_at_most(enough, in_repair) < probability) enough *= 2;
  std::int64_t low = -1;  // too few
  while (enough - low > 1) {
    const std::int64_t middle = low + (enough - low) / 2;
    (poisson_at_most(middle, in_repair) < probability ? low : enough) = middle;
  }
  return enough;
}

double probability_with_spares(double per_unit_day, double units, double repair_days, std::int64_t spares) {
  return poisson_at_most(spares, per_unit_day * units * repair_days);
}

double probability_with_spares(const std::vector<NodeLoss>& losses, std::int64_t spares) {
  return cumulated(losses, [&](std::int64_t count, double) { return count >= spares; }).probability;
}

std::int64_t spares_for(const std::vector<NodeLoss>& losses, double probability) {
  return cumulated(losses, [&](std::int64_t, double reached) { return reached >= probability; }).count;
}

}  // namespace assay::model::reliability
