// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/robust_spread.hpp"

#include <algorithm>
#include <limits>

namespace assay::results {
namespace {

constexpr double normal_upper_quartile = 0.6745;
constexpr double least_deviation = 1e-6;  // values may agree to the last digit

}  // namespace

double median_in_place(std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Core core_of(std::vector<double> values) {
  if (values.empty()) return {0, least_deviation};
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  std::size_t best = 0;
  for (std::size_t from = 0; from + half < values.size(); ++from)
    if (values[from + half] - values[from] < values[best + half] - values[best]) best = from;
  const double width = values[best + half] - values[best];
  return {(values[best] + values[best + half]) / 2,
          std::max(width / 2 / normal_upper_quartile, least_deviation)};
}

}  // namespace assay::results
