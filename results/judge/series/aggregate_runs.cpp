// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/aggregate_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/core/units.hpp"

namespace assay::results {

std::vector<std::string> AggregateRuns::lines() const {
  std::set<std::string_view> units, short_of_runs;
  const std::pair<const std::pair<std::string, std::string>, OfPoint>* worst = nullptr;
  for (const auto& point : points_) {
    units.insert(point.first.first);
    if (point.second.runs >= fewest) continue;
    short_of_runs.insert(point.first.first);
    if (worst == nullptr || point.second.runs < worst->second.runs) worst = &point;
  }
  if (worst == nullptr) return {};
  const auto runs = static_cast<std::int64_t>(worst->second.runs);
  const auto more = static_cast<std::int64_t>(fewest) - runs;
  return {fmt::format(
      "results without samples in fewer than {} runs on {} of {}: {} has {} of {}; {} would decide", fewest,
      short_of_runs.size(), core::counted(static_cast<std::int64_t>(units.size()), "place"),
      worst->first.first, core::counted(runs, "run"), worst->first.second, core::counted(more, "more run"))};
}

}  // namespace assay::results
