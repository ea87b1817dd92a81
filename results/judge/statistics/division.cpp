// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/division.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/statistics/robust_statistics.hpp"
#include "results/judge/statistics/sort_numbers.hpp"

namespace assay::results {
namespace {

constexpr std::size_t one_in = 10;  // places: a smaller group is not half of a divided fleet
/// Medians apart by this many of the larger group's deviations; more where the deviation is of few values.
/// A sine, which is the hour where nodes are measured one after the other, has 3.4.
constexpr double least_deviations = 4, more_for_few = 80;
constexpr std::size_t all_splits = 128;   // values up to which every split is tried
constexpr std::size_t few_of_group = 20;  // whose median deviation shows little
constexpr double sd_of_mean_deviation = 1.2533;
constexpr double least_deviation_of_group = 1e-6;

struct Group {
  double middle = 0, deviation = 0;
};

Group group_of(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  Group group{.middle = core::median_in_place(copy)};
  double sum = 0;
  for (double& value : copy) value = std::abs(value - group.middle), sum += value;
  group.deviation = sd_of_median_distance * core::median_in_place(copy);
  if (copy.size() < few_of_group)
    group.deviation =
        std::max(group.deviation, sd_of_mean_deviation * sum / static_cast<double>(copy.size() - 1));
  group.deviation = std::max(group.deviation, least_deviation_of_group);
  return group;
}

/// The likely cuts of many values: with the least squares within the two groups, and at the widest gap.
std::vector<std::size_t> likely_splits(std::span<const double> sorted, std::size_t least) {
  double total = 0, lower = 0, best_between = -1, best_gap = -1;
  for (const double value : sorted) total += value;
  std::size_t by_squares = least, by_gap = least;
  for (std::size_t split = 1; split + least <= sorted.size(); ++split) {
    lower += sorted[split - 1];
    if (split < least) continue;
    const auto below = static_cast<double>(split), above = static_cast<double>(sorted.size() - split);
    const double apart = (total - lower) / above - lower / below, between = below * above * apart * apart;
    if (between > best_between) best_between = between, by_squares = split;
    const double gap = sorted[split] - sorted[split - 1];
    if (gap > best_gap) best_gap = gap, by_gap = split;
  }
  return {by_squares, by_gap};
}

std::vector<std::size_t> splits_of(std::span<const double> sorted, std::size_t least) {
  if (sorted.size() > all_splits) return likely_splits(sorted, least);
  std::vector<std::size_t> splits;
  for (std::size_t split = least; split + least <= sorted.size(); ++split) splits.push_back(split);
  return splits;
}

/// Between the groups, without a tenth of either: a few between them make them no less two.
double gap_at(std::span<const double> sorted, std::size_t split) {
  const std::size_t above = sorted.size() - split;
  return sorted[split + above / one_in] - sorted[split - 1 - split / one_in];
}

}  // namespace

std::optional<Division> division_of(std::vector<double> values, double margin) {
  sort_numbers(values);
  return division_of_sorted(values, margin);
}

std::optional<Division> division_of_sorted(std::span<const double> values, double margin) {
  const std::size_t least = std::max<std::size_t>(2, values.size() / one_in + 1);
  if (values.size() < 2 * least) return std::nullopt;
  if (values.back() - values.front() <= margin) return std::nullopt;
  const double enough = least_deviations + more_for_few / static_cast<double>(values.size());
  double widest = 0;
  std::optional<Division> division;
  for (const std::size_t split : splits_of(values, least)) {
    const double gap = values[split] - values[split - 1];
    if (!(gap_at(values, split) > margin) || (division && gap <= widest)) continue;
    const Group slow = group_of(values.first(split)), fast = group_of(values.subspan(split));
    if (!(fast.middle - slow.middle > enough * std::max(slow.deviation, fast.deviation))) continue;
    widest = gap;
    division = Division{split, values.size()};
  }
  return division;
}

}  // namespace assay::results
