// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measurements of units of one kind (hosts, GPUs, ports, links) run after run, and the fleet that they make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/judge/series/fleet_doubts.hpp"
#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

struct RunOfFleet {
  double started_s = 0;  // NaN where unknown
  bool is_retest = false;
};

/// Metrics, and by run what units measured of them.
struct FleetMeasurements {
  std::vector<FleetMetric> metrics = {};
  FleetRunValues runs = {};
  std::unordered_map<std::string, std::uint32_t> numbers = {};  // of metrics

  void add(std::size_t run, const std::string& metric, std::uint32_t unit, double seconds);
};

struct FleetKind {
  Fleet fleet = {};
  FleetRunValues runs = {};
  UnsupportedPoints unsupported = {};
  std::vector<FleetIssue> failed = {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, FleetIssue> doubted = {};  // by unit and metric
  std::size_t together = 0;
  FleetMeasurements under_load = {};  // of the same units, in a burn-in's rounds together
  std::unordered_map<std::string, std::uint32_t> metrics = {}, units = {};

  /// The number of a metric, made where it is new.
  std::uint32_t metric(const std::string& name);
};

/// Arranges the runs in rounds (run_rounds.hpp), the earliest first. Where a unit measured a point again
/// within a round, the first time counts, unless it was long before the others', and the other times make
/// rounds of their own after it.
MeasuredFleet arrange(FleetKind kind, const std::vector<RunOfFleet>& runs);

}  // namespace assay::results
