// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A population of units in one metric: units are drawn at random from what such a cluster could be, and their
// runs are measurements of them. What units share, a host, a rack, is drawn at random too: its mean is one
// value, however many units and runs it has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/statistics/quantile_shift.hpp"
#include "harness/core/statistics/studentised_shift.hpp"
#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

/// One metric of one population: means of ln(time), by host, or by link where a unit is one.
struct PopulationValues {
  std::map<std::string, double> means;  // over the units of a host, each the mean of its runs
  std::int64_t units = 0, runs = 0;     // runs: of all units
  double squares = 0;                   // of runs about the mean of their unit

  std::int64_t run_degrees() const { return runs - units; }
};

/// The values of one metric of a fleet; units that have no run of it are left out.
PopulationValues population_values(const MeasuredFleet& measured, std::size_t metric);

/// The means of groups, `group_of` by host; of a link it is that of its first end.
std::map<std::string, double> means_of_groups(const std::map<std::string, double>& means,
                                              const std::map<std::string, std::string>& group_of);

/// Two populations with their places, which have the same levels.
struct PopulationPlaces {
  FleetPlaces a, b;
};

/// The quantile of slow values: a job runs at the pace of its slowest host. Lower where b has few values.
inline constexpr double slow_quantile = 0.9;

/// The slow quantile of b against that of a, in ln(time).
struct PopulationTail {
  std::string level;
  std::vector<double> a, b;             // the values, sorted
  std::vector<std::string> names_of_b;  // in that order
  core::QuantileShift shift;
};

/// The shift of ln(time) of b against a, by the level whose interval is widest.
struct PopulationShift {
  std::string level;                            // what a value is the mean of: "host", "rack"
  std::vector<double> a, b;                     // the values
  std::optional<core::StudentisedShift> shift;  // none where a level has too few places; then it is that one
  std::optional<PopulationTail> tail = {};      // of the level where its upper bound is highest

  /// The standard deviation of one value, were both populations normal.
  double deviation() const;
};

/// `base`: what the means are of, "host", "link" or "team", whose places are not known. Only one of the links
/// that share a host or place is taken. A level of places counts unless each population is in one place.
/// Hosts without a place there are one of their own.
PopulationShift population_shift(const std::map<std::string, double>& a,
                                 const std::map<std::string, double>& b, const std::string& base,
                                 const PopulationPlaces& places);

}  // namespace assay::results
