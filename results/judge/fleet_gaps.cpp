// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_gaps.hpp"

#include <fmt/format.h>

#include <set>

namespace assay::results {
namespace {

std::size_t cell_of(const Fleet& fleet, const FleetValue& value) {
  return value.metric * fleet.units.size() + value.unit;
}

std::vector<bool> cells_of(const Fleet& fleet, const FleetRunValues& runs) {
  std::vector<bool> cells(fleet.units.size() * fleet.metrics.size(), false);
  for (const auto& run : runs)
    for (const FleetValue& value : run) cells[cell_of(fleet, value)] = true;
  return cells;
}

/// The units of each unit's host.
class Neighbours {
 public:
  explicit Neighbours(const Fleet& fleet) {
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      by_host_[fleet.units[unit].places.front()].push_back(unit);
    for (const FleetUnit& unit : fleet.units) of_unit_.push_back(&by_host_.at(unit.places.front()));
  }
  const std::vector<std::size_t>& of(std::size_t unit) const { return *of_unit_[unit]; }

 private:
  std::map<std::string, std::vector<std::size_t>> by_host_;
  std::vector<const std::vector<std::size_t>*> of_unit_;
};

/// Units of one host that this run left out, where it measured half of those that ever were.
std::vector<std::size_t> left_out(const std::vector<std::size_t>& units, std::size_t row,
                                  const std::vector<bool>& ever, const std::vector<bool>& now) {
  std::vector<std::size_t> absent;
  std::size_t known = 0;
  for (const std::size_t unit : units) {
    if (!ever[row + unit]) continue;
    ++known;
    if (!now[row + unit]) absent.push_back(unit);
  }
  if (2 * absent.size() > known) absent.clear();
  return absent;
}

}  // namespace

std::vector<DoubtedPoint> contradicted_points(const Fleet& fleet, const FleetRunValues& runs,
                                              const UnsupportedPoints& unsupported) {
  std::vector<DoubtedPoint> doubted;
  if (unsupported.empty()) return doubted;
  const std::vector<bool> ever = cells_of(fleet, runs);
  std::map<std::string, std::size_t> metrics;
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
    metrics.emplace(fleet.metrics[metric].name, metric);
  for (const auto& [point, times] : unsupported)
    if (const auto metric = metrics.find(point.second);
        metric != metrics.end() && ever[metric->second * fleet.units.size() + point.first])
      doubted.push_back({fleet.units[point.first].name, point.second,
                         "called unsupported, and measured by the same unit at another time", times});
  return doubted;
}

std::vector<std::string> left_out_of_runs(const Fleet& fleet, const FleetRunValues& runs) {
  const std::vector<bool> ever = cells_of(fleet, runs);
  const Neighbours neighbours(fleet);
  std::map<std::size_t, std::set<std::size_t>> runs_of;  // by unit: those that left it out
  std::vector<bool> now(ever.size(), false);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const FleetValue& value : runs[run]) now[cell_of(fleet, value)] = true;
    for (const FleetValue& value : runs[run])
      if (const auto& units = neighbours.of(value.unit); units.size() > 1)
        for (const std::size_t unit : left_out(units, value.metric * fleet.units.size(), ever, now))
          runs_of[unit].insert(run);
    for (const FleetValue& value : runs[run]) now[cell_of(fleet, value)] = false;
  }
  std::vector<std::string> lines;
  for (const auto& [unit, left] : runs_of)
    lines.push_back(fmt::format("{}: not measured in {} run{} that measured those beside it",
                                fleet.units[unit].name, left.size(), left.size() == 1 ? "" : "s"));
  return lines;
}

}  // namespace assay::results
