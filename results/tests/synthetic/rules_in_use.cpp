// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/rules_in_use.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "harness/core/statistics/statistics.hpp"

namespace assay::results {
namespace {

/// The values of a metric, with larger better: a time becomes its inverse.
std::vector<double> rates_of(const Fleet& fleet, std::size_t metric) {
  std::vector<double> rates;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
    rates.push_back(fleet.metrics[metric].larger_is_better ? fleet.at(metric, unit)
                                                           : 1 / fleet.at(metric, unit));
  return rates;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

template <class LimitOf>
Flags below(const Fleet& fleet, const LimitOf& limit_of) {
  Flags flags;
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    const std::vector<double> rates = rates_of(fleet, metric);
    const double limit = limit_of(rates);
    for (std::size_t unit = 0; unit < rates.size(); ++unit)
      if (rates[unit] < limit) flags.emplace(metric, unit);
  }
  return flags;
}

Flags mean_less_5_percent(const Fleet& fleet) {
  return below(fleet, [](const std::vector<double>& rates) { return 0.95 * mean_of(rates); });
}

Flags z_below_3(const Fleet& fleet) {
  return below(fleet, [](const std::vector<double>& rates) {
    const double mean = mean_of(rates);
    double squares = 0;
    for (const double rate : rates) squares += (rate - mean) * (rate - mean);
    return mean - 3 * std::sqrt(squares / static_cast<double>(rates.size() - 1));
  });
}

/// The modified z, which has the median and the median absolute deviation in place of mean and deviation.
Flags modified_z_below_3_5(const Fleet& fleet) {
  return below(fleet, [](const std::vector<double>& rates) {
    const double median = core::quantile_of(rates, 0.5);
    std::vector<double> distances;
    for (const double rate : rates) distances.push_back(std::abs(rate - median));
    return median - 3.5 / 0.6745 * core::quantile_of(distances, 0.5);
  });
}

Flags three_quarters_of_reference(const Fleet& fleet) {
  return below(fleet, [](const std::vector<double>& rates) { return 0.75 * core::quantile_of(rates, 0.5); });
}

Flags best_of_node_less_10_percent(const Fleet& fleet) {
  Flags flags;
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    const std::vector<double> rates = rates_of(fleet, metric);
    std::map<std::string, double> best;
    for (std::size_t unit = 0; unit < rates.size(); ++unit) {
      double& of_node = best[fleet.units[unit].places[0]];
      of_node = std::max(of_node, rates[unit]);
    }
    for (std::size_t unit = 0; unit < rates.size(); ++unit)
      if (rates[unit] < 0.9 * best[fleet.units[unit].places[0]]) flags.emplace(metric, unit);
  }
  return flags;
}

constexpr RuleInUse rules[] = {
    {"mean less 5 %", mean_less_5_percent},
    {"z below -3", z_below_3},
    {"MAD over 3.5", modified_z_below_3_5},
    {"best of node less 10 %", best_of_node_less_10_percent},
    {"75 % of a reference", three_quarters_of_reference},
};

}  // namespace

std::span<const RuleInUse> rules_in_use() { return rules; }

}  // namespace assay::results
