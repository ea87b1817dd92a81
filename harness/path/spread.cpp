// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/core/error.hpp"

namespace assay::path {

namespace {

std::vector<std::int64_t> count_flows(std::span<const int> uplink_of_flow, int uplinks) {
  if (uplinks < 1) core::usage_error("a spread needs at least one uplink, got " + std::to_string(uplinks));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(uplinks), 0);
  for (const int uplink : uplink_of_flow) {
    if (uplink < 0 || uplink >= uplinks)
      core::usage_error("flow on uplink " + std::to_string(uplink) + ", but there are uplinks 0 to " +
                        std::to_string(uplinks - 1));
    ++counts[static_cast<std::size_t>(uplink)];
  }
  return counts;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Spread spread_of(std::span<const std::int64_t> flows_of_uplink) {
  Spread spread;
  spread.uplinks = static_cast<int>(flows_of_uplink.size());
  spread.flows = std::accumulate(flows_of_uplink.begin(), flows_of_uplink.end(), std::int64_t{0});
  if (spread.flows == 0) core::usage_error("a spread needs at least one uplink and one flow");
  spread.most_flows = *std::max_element(flows_of_uplink.begin(), flows_of_uplink.end());
  spread.idle_uplinks = static_cast<int>(std::count(flows_of_uplink.begin(), flows_of_uplink.end(), 0));
  const double flows = static_cast<double>(spread.flows), uplinks = static_cast<double>(spread.uplinks);
  double squares = 0;
  for (const std::int64_t count : flows_of_uplink) squares += static_cast<double>(count * count);
  spread.max_over_mean = static_cast<double>(spread.most_flows) * uplinks / flows;
  spread.jain_index = flows * flows / (uplinks * squares);
  return spread;
}

Spread spread_of(std::span<const int> uplink_of_flow, int uplinks) {
  return spread_of(std::span<const std::int64_t>(count_flows(uplink_of_flow, uplinks)));
}

double jain_index(std::span<const double> loads) {
  double sum = 0, squares = 0;
  for (const double load : loads) {
    sum += load;
    squares += load * load;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(loads.size()) * squares) : 0;
}

std::vector<double> fair_shares(std::span<const int> uplink_of_flow, int uplinks) {
  const std::vector<std::int64_t> counts = count_flows(uplink_of_flow, uplinks);
  std::vector<double> shares;
  shares.reserve(uplink_of_flow.size());
  for (const int uplink : uplink_of_flow)
    shares.push_back(1.0 / static_cast<double>(counts[static_cast<std::size_t>(uplink)]));
  return shares;
}

double agreement(std::span<const double> predicted, std::span<const double> measured) {
  if (predicted.size() != measured.size())
    core::usage_error("agreement of " + std::to_string(predicted.size()) + " predicted with " +
                      std::to_string(measured.size()) + " measured flows: the numbers must be equal");
  if (predicted.size() < 2) return 0;
  const double of_predicted = mean(predicted), of_measured = mean(measured);
  double both = 0, first = 0, second = 0;
  for (std::size_t flow = 0; flow < predicted.size(); ++flow) {
    const double left = predicted[flow] - of_predicted, right = measured[flow] - of_measured;
    both += left * right;
    first += left * left;
    second += right * right;
  }
  return first > 0 && second > 0 ? both / std::sqrt(first * second) : 0;
}

}  // namespace assay::path
