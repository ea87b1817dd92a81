// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/simulation_points.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include "harness/core/names.hpp"

namespace assay::results {

std::vector<SimulationPoint> simulated_workloads(const RunPoints& run) {
  return run.measured("fabric.flows.workload");
}

std::vector<SimulationPoint> simulated_steps(const RunPoints& run) {
  return run.measured("fabric.flows.step");
}

std::vector<SimulationPoint> simulated_leaves(const RunPoints& run) {
  return run.measured("fabric.flows.leaf");
}

std::vector<SimulationPoint> simulated_placements(const RunPoints& run) {
  return run.measured("fabric.flows.placement");
}

Fields axes_in_words(const SimulationPoint& point) {
  constexpr std::array<std::string_view, 4> telling = {"fabric", "workload", "routing", "sharing"};
  Fields axes = point.point.axes;
  for (auto& [name, value] : axes)
    if (auto* const word = std::get_if<std::string>(&value);
        word != nullptr && std::ranges::find(telling, name) == telling.end())
      *word = name + " " + *word;
  return axes;
}

std::vector<Fields> axes_in_words(const std::vector<SimulationPoint>& points) {
  std::vector<Fields> all;
  for (const SimulationPoint& one : points) all.push_back(axes_in_words(one));
  return all;
}

Number simulated_ms(const SimulationPoint& point, double times) {
  constexpr double ms_of_us = 1e-3;
  return mapped(point.interval(core::names::time_us), [&](double us) { return times * ms_of_us * us; });
}

std::vector<std::string> bases_of(const std::vector<SimulationPoint>& points) {
  std::vector<std::string> bases;
  for (const SimulationPoint& point : points) {
    std::istringstream lines(field_text(point.conditions, {core::names::basis}));
    for (std::string line; std::getline(lines, line);)
      if (std::ranges::find(bases, line) == bases.end()) bases.push_back(line);
  }
  return bases;
}

std::vector<std::pair<std::string, Number>> metrics_after(const SimulationPoint& point,
                                                          const std::string& prefix) {
  std::vector<std::pair<std::string, Number>> some;
  for (const auto& [name, value] : point.metrics)
    if (name.starts_with(prefix + "_")) some.emplace_back(name.substr(prefix.size() + 1), value);
  return some;
}

std::vector<std::pair<std::int64_t, double>> uplink_loads(const SimulationPoint& leaf) {
  std::vector<std::pair<std::int64_t, double>> loads;
  for (const auto& [name, value] : metrics_after(leaf, core::names::uplink_over_mean)) {
    std::int64_t uplink = 0;
    const char* const end = name.data() + name.size();
    if (std::from_chars(name.data(), end, uplink).ptr == end) loads.emplace_back(uplink, value.value);
  }
  std::ranges::sort(loads);
  return loads;
}

}  // namespace assay::results
