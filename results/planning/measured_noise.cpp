// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/planning/measured_noise.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {
namespace {

/// Links and other units without a host above them are hosts of one unit.
int hosts_of(const Fleet& fleet) {
  const auto host = std::ranges::find(fleet.levels, "host");
  if (host == fleet.levels.end()) return static_cast<int>(fleet.units.size());
  std::set<std::string> names;
  for (const FleetUnit& unit : fleet.units)
    names.insert(unit.places[static_cast<std::size_t>(host - fleet.levels.begin())]);
  return static_cast<int>(names.size());
}

PlannedFleet planned_as(const MeasuredFleet& measured, const FleetRules& rules) {
  const Fleet& fleet = measured.first;
  PlannedFleet planned;
  planned.hosts = hosts_of(fleet);
  planned.units_per_host = std::max(1, static_cast<int>(fleet.units.size()) / std::max(1, planned.hosts));
  planned.unit_level = fleet.unit_level;
  const auto is_point = [&](const std::string& name) {
    return std::ranges::find(fleet.metrics, name, &FleetMetric::name) != fleet.metrics.end();
  };
  // Looks at what a group has in common are of no point.
  for (const FleetLook& look : judge_fleet(fleet, measured.again, rules).looks)
    if (look.level == fleet.unit_level && is_point(look.metric))
      planned.points.push_back({.changing = look.noise, .lasting = look.lasting});
  return planned;
}

}  // namespace

std::vector<PlannedFleet> planned_as_measured(const Store& store, const std::string& filter,
                                              const FleetRules& rules) {
  std::vector<PlannedFleet> planned;
  for (const MeasuredFleet& measured : read_fleet(store, filter, {})) {
    PlannedFleet one = planned_as(measured, rules);
    if (!one.points.empty()) planned.push_back(std::move(one));
  }
  if (planned.empty())
    throw std::runtime_error("no point was measured on enough equal units: expected at least 8 of a kind");
  return planned;
}

}  // namespace assay::results
