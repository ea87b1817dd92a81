// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fleet at a glance: how each metric spreads over the units, and how far each unit and host is off, the
// worst first. Descriptions, no verdicts: the worst of a sound fleet comes first too.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "results/judge/series/fleet_store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Shares of the units at which quantiles of the deviations are given.
inline constexpr std::array spread_quantiles{0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0};

struct MetricSpread {
  std::string unit_level, metric;
  std::int64_t units = 0;                                    // that were measured
  double median_us = 0;                                      // time of an iteration
  std::array<double, spread_quantiles.size()> percent = {};  // off the median of equals; below 0 is worse
  double robust_sd_percent = 0;                              // 1.4826 times the median absolute deviation
};

struct Standing {
  std::string name = {}, host = {};
  std::int64_t gpus = 0;  // of a host
  std::int64_t measured = 0, failed = 0;
  bool missing = false;                // something others have was not measured
  double percent = 0, sd = 0;          // of its worst point off the median of its equals; below 0 is worse
  std::string metric = {}, unit = {};  // of that point
};

struct FleetStanding {
  std::vector<MetricSpread> spreads;
  std::vector<Standing> units, hosts;  // those with failed points first, then with missing ones, then by sd
  std::size_t together = 0;            // points left out: measured in a burn-in's rounds together
  std::string origin = {};             // of all
};

FleetStanding standing_of(const std::vector<MeasuredFleet>& fleets);

/// One line a host, the worst first; `limit` of them, 0: 50. Notes report how many are left out.
Table host_table(const FleetStanding& standing, std::int64_t limit);
Table unit_table(const FleetStanding& standing, std::int64_t limit);
/// One line a metric.
Table spread_table(const FleetStanding& standing);

}  // namespace assay::results
