// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/usage_fit.hpp"

#include <algorithm>
#include <vector>

#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

/// A victim that is faster while the aggressor runs loses nothing to it.
double share_lost(double slowdown) { return std::max(0.0, 1 - 1 / slowdown); }

Coefficient usage_of(const std::vector<SlowdownRow>& rows) {
  std::vector<double> slowdowns, lower, upper;
  for (const SlowdownRow& row : rows) {
    slowdowns.push_back(row.slowdown);
    lower.push_back(row.lower);
    upper.push_back(row.upper);
  }
  Coefficient usage{.name = "processor_usage",
                    .value = share_lost(core::quantile_of(slowdowns, 0.5)),
                    .lower = share_lost(std::ranges::min(lower)),
                    .upper = share_lost(std::ranges::max(upper))};
  usage.supported = usage.lower > 0;
  return usage;
}

}  // namespace

std::map<std::string, Coefficient> fit_usage(const Timings<SlowdownRow>& timings) {
  std::map<std::string, std::vector<SlowdownRow>> contests;
  for (const SlowdownRow& row : timings.rows) contests[row.contest()].push_back(row);
  std::map<std::string, Coefficient> usages;
  for (const auto& [contest, rows] : contests) usages.emplace(contest, usage_of(rows));
  return usages;
}

std::vector<std::string> contests_of_a_step(const std::map<std::string, Coefficient>& usages) {
  std::vector<std::string> found;
  for (const char* aggressor : {"nccl", "sm_copy", "copy"}) {
    const std::string start =
        SlowdownRow{.victim = "gemm", .aggressor = aggressor, .conditions = {}}.contest();
    for (const auto& [contest, usage] : usages)
      if (contest.starts_with(start)) found.push_back(contest);
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace assay::model::fit
