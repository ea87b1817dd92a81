// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/overtaken.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <ranges>

#include "harness/core/statistics/order_statistic.hpp"

namespace assay::model::fit {
namespace {

using TimesBySize = std::map<double, std::vector<double>>;

void add_overtaken(const std::string& curve, const TimesBySize& times, std::vector<Overtaken>& all) {
  Overtaken fastest{.curve = curve};
  for (const auto& [size, repeated] : std::views::reverse(times)) {
    const double time_us = core::lower_median(repeated);
    if (fastest.larger_us > 0 && time_us >= least_regret * fastest.larger_us) {
      all.push_back(fastest);
      all.back().size_bytes = size;
      all.back().time_us = time_us;
    }
    if (fastest.larger_us > 0 && time_us >= fastest.larger_us) continue;
    fastest.larger_bytes = size;
    fastest.larger_us = time_us;
  }
}

}  // namespace

std::vector<Overtaken> overtaken_sizes(const std::vector<CollectiveRow>& rows) {
  std::map<std::string, TimesBySize> curves;
  for (const CollectiveRow& row : rows)
    if (row.algorithm.empty()) curves[row.curve()][row.size_bytes].push_back(row.time_us);
  std::vector<Overtaken> all;
  for (const auto& [curve, times] : curves) add_overtaken(curve, times, all);
  std::ranges::stable_sort(all, std::greater(), &Overtaken::regret);
  return all;
}

}  // namespace assay::model::fit
