// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/spares.hpp"

#include <algorithm>
#include <cmath>

namespace assay::model::reliability {
namespace {

constexpr double most_tabled = 2e6;     // nodes in the mean, beyond which a normal distribution is as good
constexpr double most_deviations = 40;  // standard ones, beyond which no probability is left

}  // namespace

NodesInRepair::NodesInRepair(const std::vector<NodeLoss>& losses) {
  double third = 0, fourth = 0;
  for (const NodeLoss& loss : losses) {
    const double in_repair = loss.per_day * loss.repair_days, nodes = static_cast<double>(loss.nodes);
    if (in_repair <= 0) continue;
    by_nodes_[loss.nodes] += in_repair;
    units_ += in_repair;
    mean_ += in_repair * nodes;
    variance_ += in_repair * nodes * nodes;
    third += in_repair * std::pow(nodes, 3);
    fourth += in_repair * std::pow(nodes, 4);
  }
  if (by_nodes_.empty()) return;
  skewness_ = third / std::pow(variance_, 1.5);
  excess_ = fourth / (variance_ * variance_);
  const auto largest = static_cast<double>(by_nodes_.rbegin()->first);
  last_ = std::ceil(mean_ + most_deviations * (std::sqrt(variance_) + largest));
}

/// With the first terms of Edgeworth's expansion (Abramowitz and Stegun 1964, 26.2.48).
double NodesInRepair::nearly_normal(double nodes) const {
  const double z = (nodes + 0.5 - mean_) / std::sqrt(variance_), z2 = z * z;
  const double density = std::exp(-z2 / 2) / std::sqrt(2 * std::acos(-1.0));
  const double correction = skewness_ / 6 * (z2 - 1) + excess_ / 24 * z * (z2 - 3) +
                            skewness_ * skewness_ / 72 * z * (z2 * z2 - 10 * z2 + 15);
  return std::clamp(std::erfc(-z / std::sqrt(2.0)) / 2 - density * correction, 0.0, 1.0);
}

/// Panjer's recursion. Weights are probabilities over e^-units, times a scale that keeps their sum finite.
void NodesInRepair::table_until(std::int64_t nodes) {
  constexpr double large = 1e200;
  if (weights_.empty()) {
    weights_.push_back(1);
    at_most_.push_back(std::exp(-units_));
  }
  while (std::ssize(at_most_) <= nodes) {
    const std::int64_t next = std::ssize(at_most_);
    double weight = 0;
    for (const auto& [size, in_repair] : by_nodes_)
      if (size <= next)
        weight += in_repair * static_cast<double>(size) * weights_[static_cast<std::size_t>(next - size)];
    weights_.push_back(weight / static_cast<double>(next));
    sum_ += weights_.back();
    at_most_.push_back(std::min(1.0, sum_ * std::exp(log_scale_ - units_)));
    if (sum_ < large) continue;
    const auto needed = std::min<std::int64_t>(by_nodes_.rbegin()->first, std::ssize(weights_));
    for (auto one = weights_.end() - needed; one != weights_.end(); ++one) *one /= large;
    sum_ /= large;
    log_scale_ += std::log(large);
  }
}

double NodesInRepair::at_most(std::int64_t nodes) {
  if (nodes < 0) return 0;
  if (static_cast<double>(nodes) >= last_) return 1;
  if (mean_ > most_tabled) return nearly_normal(static_cast<double>(nodes));
  table_until(nodes);
  return at_most_[static_cast<std::size_t>(nodes)];
}

std::int64_t NodesInRepair::least(double probability) {
  std::int64_t low = -1, enough = 1;  // too few, and enough
  while (at_most(enough) < probability) enough *= 2;
  while (enough - low > 1) {
    const std::int64_t middle = low + (enough - low) / 2;
    (at_most(middle) < probability ? low : enough) = middle;
  }
  return enough;
}

std::int64_t spares_for(double per_unit_day, double units, double repair_days, double probability) {
  return NodesInRepair({{.per_day = per_unit_day * units, .repair_days = repair_days}}).least(probability);
}

double probability_with_spares(double per_unit_day, double units, double repair_days, std::int64_t spares) {
  return NodesInRepair({{.per_day = per_unit_day * units, .repair_days = repair_days}}).at_most(spares);
}

}  // namespace assay::model::reliability
