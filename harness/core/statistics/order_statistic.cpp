// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/order_statistic.hpp"

#include <algorithm>
#include <limits>

namespace assay::core {

double& at_rank(std::span<double> values, std::size_t rank) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
  return values[rank];
}

double lower_median(std::vector<double> values) {
  return values.empty() ? 0 : at_rank(values, (values.size() - 1) / 2);
}

double upper_median(std::vector<double> values) {
  return values.empty() ? 0 : at_rank(values, values.size() / 2);
}

double median_in_place(std::span<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t half = values.size() / 2;
  const double upper = at_rank(values, half);
  if (values.size() % 2 == 1) return upper;
  return (upper + std::ranges::max(values.first(half))) / 2;
}

double median(std::vector<double> values) { return median_in_place(values); }

}  // namespace assay::core
