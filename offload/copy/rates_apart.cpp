// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/rates_apart.hpp"

#include "harness/core/statistics.hpp"
#include "harness/core/units.hpp"

namespace assay::offload {

void add_rates_apart(std::vector<core::Metric>& metrics, const std::array<const char*, 2>& names,
                     std::int64_t bytes, const std::function<TwoStreams::Seconds()>& time_each) {
  constexpr int copies = 9;
  std::array<std::vector<double>, 2> seconds;
  for (int copy = 0; copy < copies; ++copy) {
    const TwoStreams::Seconds each = time_each();
    seconds[0].push_back(each.first_s);
    seconds[1].push_back(each.second_s);
  }
  for (std::size_t way = 0; way < names.size(); ++way)
    if (const double median_s = core::quantile_of(seconds[way], 0.5); median_s > 0)
      metrics.push_back({names[way], "GB/s", core::gb_per_s(static_cast<double>(bytes), median_s)});
}

}  // namespace assay::offload
