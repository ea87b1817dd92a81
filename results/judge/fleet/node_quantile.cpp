// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/node_quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/core/statistics/binomial.hpp"
#include "harness/core/statistics/order_statistic.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "results/judge/statistics/division.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

/// Equal or rounded values have no spread; below this share of the median nothing is far out.
constexpr double least_relative_deviation = 1e-3;

/// The cut below the median of values where low is bad. Values equal to the median, as rounding makes them,
/// say nothing of the spread; where the few others could all be of bad nodes, there is none.
double cut_of(const std::vector<double>& values, double median, const QuantileRules& rules) {
  std::vector<double> below;
  for (const double value : values)
    if (value < median) below.push_back(median - value);
  const double could_be_bad = rules.most_left_out * static_cast<double>(values.size());
  double deviation = least_relative_deviation * std::abs(median);
  if (static_cast<double>(below.size()) > could_be_bad)
    deviation = std::max(deviation, core::median_in_place(below) / normal_upper_quartile);
  return median - rules.cut * deviation;
}

/// The number of the order statistic, from 0, that bounds the share `outside` from below; -1 where none does.
std::int64_t lower_rank(std::int64_t n, double outside, double confidence) {
  std::int64_t rank = -1;
  while (rank + 1 < n && 1 - core::binomial_at_most(n, outside, rank + 1) >= confidence) ++rank;
  return rank;
}

std::int64_t upper_rank(std::int64_t n, double outside, double confidence) {
  std::int64_t rank = 0;
  while (rank + 1 < n && core::binomial_at_most(n, outside, rank) < confidence) ++rank;
  return rank;
}

/// The division that would leave a fleet undecided: a limit of either group judges nothing of the other.
std::string division_in(std::vector<double> values, double median, double margin) {
  if (median == 0) return "";
  for (double& value : values) value /= std::abs(median);
  const auto division = division_of(std::move(values), -shift_of_loss(margin));
  if (!division) return "";
  return fmt::format("{} of {} nodes are slower than the rest: no single population", division->slower,
                     division->of);
}

std::string too_few(const NodeQuantile& found, const QuantileRules& rules) {
  return fmt::format("{} nodes, and {} for {:g} % of them with {:g} % confidence: {} lack", found.nodes,
                     found.needed, 100 * rules.coverage, 100 * rules.confidence, found.lacking());
}

}  // namespace

std::int64_t nodes_needed(const QuantileRules& rules) {
  return core::samples_needed(rules.coverage, rules.confidence);
}

NodeQuantile node_quantile(const std::vector<std::pair<std::string, double>>& nodes, BadSide side,
                           const QuantileRules& rules) {
  const double sign = side == BadSide::low ? 1 : -1;
  NodeQuantile found{.needed = nodes_needed(rules)};
  std::vector<double> values;
  for (const auto& [name, value] : nodes) values.push_back(sign * value);
  if (values.empty()) return found.why_not = too_few(found, rules), found;
  const double median = core::quantile_of(values, 0.5), cut = cut_of(values, median, rules);
  const std::string divided = division_in(values, median, rules.margin);
  values.clear();
  for (const auto& [name, value] : nodes) {
    if (sign * value < cut)
      found.left_out.push_back(name);
    else
      values.push_back(sign * value);
  }
  found.median = sign * median;
  found.cut = sign * cut;
  found.nodes = static_cast<std::int64_t>(values.size());
  const auto out = static_cast<double>(found.left_out.size());
  if (out > rules.most_left_out * static_cast<double>(nodes.size()))
    found.why_not =
        fmt::format("{} of {} nodes are far out: no single population", found.left_out.size(), nodes.size());
  else if (!divided.empty())
    found.why_not = divided;
  else if (found.lacking() > 0)
    found.why_not = too_few(found, rules);
  if (!found.why_not.empty()) return found;
  std::ranges::sort(values);
  const auto at = [&](std::int64_t rank) { return sign * values[static_cast<std::size_t>(rank)]; };
  const double outside = 1 - rules.coverage;
  found.limit = at(lower_rank(found.nodes, outside, rules.confidence));
  const double other = at(upper_rank(found.nodes, outside, rules.confidence));
  found.quantile = {sign * core::quantile_of(values, outside), std::min(found.limit, other),
                    std::max(found.limit, other)};
  return found;
}

}  // namespace assay::results
