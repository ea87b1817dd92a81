// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/failure_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/statistics/gamma_distribution.hpp"

namespace assay::model::reliability {
namespace {

constexpr double below = 0.025, above = 0.975;

}  // namespace

FailureRate rate_of(const std::vector<CountedFailures>& counts) {
  double sum = 0, variance = 0, largest = 0;
  for (const CountedFailures& one : counts) {
    const double weight = 1 / one.node_days, failures = static_cast<double>(one.failures);
    sum += weight * failures;
    variance += weight * weight * failures;
    largest = std::max(largest, weight);
  }
  FailureRate rate{.per_node_day = sum, .interval = Interval{}};
  if (sum > 0) rate.interval->lower = variance / sum * core::gamma_quantile(sum * sum / variance, below);
  const double more = sum + largest, more_variance = variance + largest * largest;
  rate.interval->upper = more_variance / more * core::gamma_quantile(more * more / more_variance, above);
  return rate;
}

double mean_hours_to_failure(double per_node_day, double nodes) {
  return per_node_day > 0 ? 24 / (nodes * per_node_day) : std::numeric_limits<double>::infinity();
}

double probability_without_failure(double per_node_day, double nodes, double days) {
  return std::exp(-per_node_day * nodes * days);
}

}  // namespace assay::model::reliability
