// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/simulated_fleets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr std::string_view workload_case = "fabric.flows.workload";

/// A workload's times in one run.
struct SimulatedPoint {
  Fields axes;
  std::string fabric;              // in words
  std::vector<double> of_seeds_s;  // from seed 1
};

std::string fabric_of(const std::map<std::int64_t, ContextRecord>& contexts, std::int64_t process) {
  const auto context = contexts.find(process);
  if (context == contexts.end()) return "";
  const auto& machine = context->second.machine;
  return machine.is_object() && machine.contains("fabric") && machine["fabric"].is_string()
             ? machine["fabric"].get<std::string>()
             : "";
}

std::vector<SimulatedPoint> points_in(const Store& store, const std::string& filter) {
  constexpr auto all = std::numeric_limits<std::int64_t>::max();
  Statement samples = store.database().prepare("SELECT samples_s FROM points WHERE id = ?");
  std::vector<SimulatedPoint> points;
  std::vector<StoredRun> runs = all_runs(store);
  std::ranges::reverse(runs);
  for (const StoredRun& run : runs) {
    const auto contexts = contexts_by_process(store, run);
    for (const StoredPoint& point : points_in_order(store, run, filter, all)) {
      if (point.case_name != workload_case || point.status != Status::ok) continue;
      samples.bind(point.id).step();
      points.push_back({point.axes, fabric_of(contexts, point.process), samples.numbers(0)});
      samples.reset();
    }
  }
  if (points.empty())
    throw std::runtime_error(
        fmt::format("{}: no workload was simulated that could be compared", store.path().string()));
  return points;
}

/// Each seed is a unit, so that their number is none of the point's meaning.
constexpr std::string_view seeds_axis = "seeds";
/// Axes of the question; every other one is a key of the fabric.
constexpr std::array<std::string_view, 2> asked_axes{"workload", "sharing"};

using AxisNames = std::set<std::string, std::less<>>;

void add_varied(const std::vector<SimulatedPoint>& points, AxisNames& varied) {
  std::map<std::string, std::string> first;
  for (const SimulatedPoint& point : points)
    for (const auto& [axis, value] : point.axes) {
      const auto [before, fresh] = first.try_emplace(axis, scalar_text(value));
      if (!fresh && before->second != scalar_text(value)) varied.insert(axis);
    }
}

std::string name_of(const SimulatedPoint& point, const AxisNames& varied) {
  std::vector<std::string> axes;
  for (const auto& [axis, value] : point.axes)
    if (axis != seeds_axis && (varied.contains(axis) || std::ranges::count(asked_axes, axis) > 0))
      axes.push_back(fmt::format("{}={}", axis, scalar_text(value)));
  return fmt::format("{}/{}", workload_case, fmt::join(axes, ","));
}

/// A point that was simulated again counts as simulated last.
MeasuredFleet fleet_of(const std::vector<SimulatedPoint>& points, const AxisNames& varied) {
  std::map<std::string, const SimulatedPoint*> by_name;
  std::size_t seeds = 0;
  for (const SimulatedPoint& point : points) by_name[name_of(point, varied)] = &point;
  for (const auto& [name, point] : by_name) seeds = std::max(seeds, point->of_seeds_s.size());
  MeasuredFleet measured;
  measured.origin = to_string(Origin::simulated);
  Fleet& fleet = measured.first;
  fleet.unit_level = seed_level;
  for (std::size_t seed = 1; seed <= seeds; ++seed)
    fleet.units.push_back({fmt::format("{} {}", seed_level, seed), points.front().fabric, {}});
  for (const auto& [name, point] : by_name) {
    fleet.metrics.push_back({name, "fabric", false});
    for (std::size_t seed = 0; seed < seeds; ++seed)
      fleet.values.push_back(seed < point->of_seeds_s.size() ? point->of_seeds_s[seed]
                                                             : std::numeric_limits<double>::quiet_NaN());
  }
  return measured;
}

}  // namespace

bool is_of_simulated_fabrics(const Store& store) {
  Statement rows =
      store.database().prepare("SELECT count(*), ifnull(sum(module = 'fabric'), 0) FROM contexts");
  rows.step();
  return rows.integer(0) > 0 && rows.integer(0) == rows.integer(1);
}

std::pair<MeasuredFleet, MeasuredFleet> simulated_fleets(const Store& a, const Store& b,
                                                         const std::string& filter) {
  const std::vector<SimulatedPoint> of_a = points_in(a, filter), of_b = points_in(b, filter);
  AxisNames varied;
  add_varied(of_a, varied);
  add_varied(of_b, varied);
  return {fleet_of(of_a, varied), fleet_of(of_b, varied)};
}

}  // namespace assay::results
