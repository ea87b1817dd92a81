// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points of a store that a limit is about.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results/judge/limits/limits_file.hpp"
#include "results/record/record.hpp"
#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// One measurement of a point. `why_not` says why there is no value to judge; empty where there is.
struct LimitedPoint {
  std::string unit, metric;  // "h3/gpu2", "memory.cuda.copy/bytes=4294967296"
  bool of_gpu = false;
  std::string why_not = {};
  Number value = {};
  std::int64_t n = 0;
  Origin origin = Origin::measured;
  std::set<std::string> hosts = {};  // that took part
  std::string still_moving = {};     // power_w or sm_clock_mhz: its GPU was still getting slower
  std::int64_t run = 0;              // of its row
  bool is_aggregate = false;         // one number of another tool, without an interval of its own
  std::string definition = {};       // PointEvidence::definition
};

struct LimitedPoints {
  std::vector<LimitedPoint> points;
  std::size_t together = 0;  // left out: measured in a burn-in's round together
};

/// A process of a store: its run's row and its number.
using Process = std::pair<std::int64_t, std::int64_t>;

/// A process as its context describes it.
struct Measurer {
  std::string host;
  Origin origin = Origin::measured;
  bool together = false;
};

/// Points of these processes. Throws std::runtime_error where the metric's unit is another.
LimitedPoints points_of(const Store& store, const std::string& filter, const AbsoluteLimit& limit,
                        const std::map<Process, Measurer>& measurers);

/// Whether some limit is about each point that the filter matches.
bool every_point_has_limit(const Store& store, const std::string& filter, std::span<const LimitsFile> files);

}  // namespace assay::results
