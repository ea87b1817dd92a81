// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/statistics.hpp"

namespace assay::results {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// Of each cell that a run measured, the median over its repetitions: they share the hour and the heat, and
/// are one measurement.
std::vector<FleetValue> medians_of(std::vector<FleetValue> run) {
  const auto cell = [](const FleetValue& value) { return std::pair(value.metric, value.unit); };
  std::ranges::sort(run, {}, cell);
  std::vector<FleetValue> medians;
  std::vector<double> repeated;
  for (std::size_t at = 0, end = 0; at < run.size(); at = end) {
    while (end < run.size() && cell(run[end]) == cell(run[at])) ++end;
    medians.push_back(run[at]);
    if (end - at == 1) continue;
    repeated.clear();
    for (std::size_t one = at; one < end; ++one) repeated.push_back(run[one].seconds);
    medians.back().seconds = core::quantile_of(repeated, 0.5);
  }
  return medians;
}

void note_missing_points(MeasuredFleet& measured) {
  const Fleet& fleet = measured.first;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    std::size_t absent = 0;
    for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
      absent += std::isnan(fleet.at(metric, unit)) ? 1 : 0;
    if (absent > 0)
      measured.missing.push_back({.unit = fleet.units[unit].name,
                                  .reason = fmt::format("{} of {} points", absent, fleet.metrics.size())});
  }
}

}  // namespace

std::uint32_t FleetKind::metric(const std::string& name) {
  const auto [at, fresh] = metrics.try_emplace(name, static_cast<std::uint32_t>(fleet.metrics.size()));
  if (fresh) fleet.metrics.push_back({name, name.substr(0, name.find('.')), false});
  return at->second;
}

MeasuredFleet arrange(FleetKind kind) {
  const std::size_t units = kind.fleet.units.size(), cells = units * kind.fleet.metrics.size();
  kind.fleet.values.assign(cells, no_value);
  MeasuredFleet measured{.first = kind.fleet, .failed = std::move(kind.failed), .together = kind.together};
  for (auto& [place, doubted] : kind.doubted) measured.doubted.push_back(std::move(doubted));
  for (FleetIssue& doubted : contradicted_points(kind.fleet, kind.runs, kind.unsupported))
    measured.doubted.push_back(std::move(doubted));
  if (kind.fleet.unit_level == "gpu" || kind.fleet.unit_level == "port")
    measured.missing = left_out_of_runs(kind.fleet, kind.runs);
  std::vector<std::uint32_t> times(cells, 0);
  for (auto& run : kind.runs)
    for (const FleetValue& value : medians_of(std::move(run))) {
      const std::uint32_t time = times[value.metric * units + value.unit]++;
      if (time > measured.again.size()) measured.again.push_back(kind.fleet);
      (time == 0 ? measured.first : measured.again[time - 1]).at(value.metric, value.unit) = value.seconds;
    }
  note_missing_points(measured);
  return measured;
}

}  // namespace assay::results
