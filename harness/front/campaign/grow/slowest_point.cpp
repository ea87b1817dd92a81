// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/slowest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "harness/core/names.hpp"
#include "results/record/journal.hpp"

namespace assay::campaign {

std::string below_least_busbw(const std::filesystem::path& journal, double least_gb_per_s) {
  std::map<std::pair<std::string, std::string>, double> busbw;  // by case and key
  if (std::filesystem::exists(journal))
    results::for_each_record(journal, [&](const results::Record& record) {
      const auto* point = std::get_if<results::PointRecord>(&record);
      if (point == nullptr) return;
      for (const core::Metric& metric : point->metrics)
        if (metric.name == core::names::busbw_gb_per_s) busbw[{point->case_name, point->key}] = metric.value;
    });
  if (busbw.empty()) return fmt::format("no point has {}", core::names::busbw_gb_per_s);
  const auto slowest = std::ranges::min_element(busbw, {}, [](const auto& point) { return point.second; });
  if (slowest->second >= least_gb_per_s) return "";
  return fmt::format("{} {}: busbw {:.4g} GB/s, expected at least {:g}", slowest->first.first,
                     slowest->first.second, slowest->second, least_gb_per_s);
}

}  // namespace assay::campaign
