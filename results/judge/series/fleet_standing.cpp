// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_standing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/core/statistics/statistics.hpp"
#include "results/judge/fleet/fleet_rounds.hpp"
#include "results/judge/statistics/robust_statistics.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

constexpr std::int64_t default_limit = 50;
/// Half of all units may agree to the last digit: what is off then still shows.
constexpr double least_sd = 1e-4;

double percent_of(double log_deviation) { return 100 * std::expm1(log_deviation); }

std::vector<double> values_of(const Fleet& fleet, const std::vector<double>& all, std::size_t metric) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(metric * fleet.units.size());
  std::vector<double> values(begin, begin + static_cast<std::ptrdiff_t>(fleet.units.size()));
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

double robust_sd(std::vector<double> deviations) {
  for (double& deviation : deviations) deviation = std::abs(deviation);
  return sd_of_median_distance * core::quantile_of(deviations, 0.5);
}

MetricSpread spread_of(const Fleet& fleet, const Deviations& off, std::size_t metric) {
  MetricSpread spread{.unit_level = fleet.unit_level, .metric = fleet.metrics[metric].name};
  const auto deviations = values_of(fleet, off.values, metric);
  spread.units = static_cast<std::int64_t>(deviations.size());
  if (deviations.empty()) return spread;
  spread.median_us = 1e6 * core::quantile_of(values_of(fleet, fleet.values, metric), 0.5);
  for (std::size_t i = 0; i < spread_quantiles.size(); ++i)
    spread.percent[i] = percent_of(core::quantile_of(deviations, spread_quantiles[i]));
  spread.robust_sd_percent = 100 * robust_sd(deviations);
  return spread;
}

std::string host_of(const Fleet& fleet, const FleetUnit& unit) {
  return fleet.unit_level == "host" || unit.places.empty() ? unit.name : unit.places.front();
}

std::string host_in(const std::string& unit) { return unit.substr(0, unit.find("/gpu")); }

/// First round of each unit and metric.
Deviations earliest_deviations(const MeasuredFleet& measured) {
  const FleetRounds all = rounds_of(measured.first, measured.again);
  Deviations earliest = all.rounds.front();
  for (const Deviations& round : all.rounds)
    for (std::size_t cell = 0; cell < earliest.values.size(); ++cell)
      if (std::isnan(earliest.values[cell])) earliest.values[cell] = round.values[cell];
  return earliest;
}

/// The worst point of each unit.
std::vector<Standing> units_of(const MeasuredFleet& measured, std::vector<MetricSpread>& spreads) {
  const Fleet& fleet = measured.first;
  const Deviations off = earliest_deviations(measured);
  std::vector<Standing> units;
  for (const FleetUnit& unit : fleet.units)
    units.push_back({.name = unit.name, .host = host_of(fleet, unit), .unit = unit.name});
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    spreads.push_back(spread_of(fleet, off, metric));
    const double sd = std::max(spreads.back().robust_sd_percent / 100, least_sd);
    for (std::size_t at = 0; at < units.size(); ++at) {
      const double deviation = off.at(metric, at);
      if (std::isnan(deviation)) continue;
      ++units[at].measured;
      const double in_sd = deviation / sd;
      if (units[at].metric.empty() || in_sd < units[at].sd) {
        units[at].sd = in_sd;
        units[at].percent = percent_of(deviation);
        units[at].metric = fleet.metrics[metric].name;
      }
    }
  }
  return units;
}

void count_troubles(const std::vector<MeasuredFleet>& fleets, std::map<std::string, Standing>& by_name,
                    std::string (*name_of)(const std::string&)) {
  const auto at = [&](const std::string& name) -> Standing& {
    Standing& standing = by_name[name];
    if (standing.name.empty()) standing.name = standing.host = name;  // nothing of it was measured
    return standing;
  };
  for (const MeasuredFleet& measured : fleets) {
    for (const FleetIssue& point : measured.failed) ++at(name_of(point.unit)).failed;
    for (const FleetIssue& point : measured.missing) at(name_of(point.unit)).missing = true;
  }
}

std::vector<Standing> worst_first(const std::map<std::string, Standing>& by_name) {
  std::vector<Standing> sorted;
  for (const auto& [name, standing] : by_name) sorted.push_back(standing);
  std::ranges::stable_sort(sorted, {},
                           [](const Standing& one) { return std::tuple(-one.failed, !one.missing, one.sd); });
  return sorted;
}

void join(Standing& host, const Standing& unit) {
  if (host.name.empty()) host.name = host.host = unit.host;
  host.gpus += unit.name == unit.host ? 0 : 1;
  host.measured += unit.measured;
  if (unit.metric.empty() || (!host.metric.empty() && host.sd <= unit.sd)) return;
  std::tie(host.sd, host.percent, host.metric, host.unit) =
      std::tie(unit.sd, unit.percent, unit.metric, unit.name);
}

std::vector<Column> standing_columns(const char* name) {
  using Kind = Column::Kind;
  return {{name, "", Kind::word},
          {"GPUs", "", Kind::count, false, true},
          {"points", "", Kind::count},
          {"failed", "", Kind::count},
          {"missing", "", Kind::word, false, true},
          {"worst", "%", Kind::number},
          {"in robust sd", "", Kind::number},
          {"of point"},
          {"at", "", Kind::word, false, true}};
}

std::vector<Cell> row_of(const Standing& one, bool is_host) {
  const bool judged = !one.metric.empty();
  return {one.name,
          is_host ? Cell(one.gpus) : Cell(),
          one.measured,
          one.failed,
          one.missing ? Cell(std::string("some")) : Cell(),
          judged ? Cell(Number{one.percent}) : Cell(),
          judged ? Cell(Number{one.sd}) : Cell(),
          one.metric,
          one.unit == one.name ? Cell() : Cell(one.unit)};
}

Table table_of(const std::vector<Standing>& all, std::int64_t limit, bool is_host) {
  const char* const what = is_host ? "host" : "unit";
  Table table{.title = std::to_string(all.size()) + " " + what + "s, the worst first",
              .columns = standing_columns(what)};
  const auto most = static_cast<std::size_t>(limit > 0 ? limit : default_limit);
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) table.rows.push_back(row_of(all[i], is_host));
  if (all.size() > most)
    table.notes.push_back("The worst " + std::to_string(most) + " of " + std::to_string(all.size()) + "; " +
                          std::to_string(all.size() - most) + " are left out, a limit shows more.");
  table.notes.emplace_back(
      "Worst: the point farthest below the median of its equals, counted in robust standard deviations of "
      "that point over all units. The worst of a sound fleet comes first too: assay accept judges.");
  return table;
}

}  // namespace

FleetStanding standing_of(const std::vector<MeasuredFleet>& fleets) {
  FleetStanding standing;
  if (!fleets.empty()) standing.origin = fleets.front().origin;
  std::map<std::string, Standing> units, hosts;
  for (const MeasuredFleet& measured : fleets) {
    standing.together += measured.together;
    for (Standing& unit : units_of(measured, standing.spreads)) {
      join(hosts[unit.host], unit);
      units.emplace(unit.name, std::move(unit));
    }
  }
  count_troubles(fleets, units, [](const std::string& name) { return name; });
  count_troubles(fleets, hosts, host_in);
  standing.units = worst_first(units);
  standing.hosts = worst_first(hosts);
  return standing;
}

Table host_table(const FleetStanding& standing, std::int64_t limit) {
  Table table = table_of(standing.hosts, limit, true);
  if (standing.together > 0) table.notes.push_back(together_note(standing.together));
  table.origin = standing.origin;
  return table;
}

Table unit_table(const FleetStanding& standing, std::int64_t limit) {
  Table table = table_of(standing.units, limit, false);
  table.origin = standing.origin;
  return table;
}

Table spread_table(const FleetStanding& standing) {
  using Kind = Column::Kind;
  Table table{.title = "Spread of every point over the units",
              .columns = {{"unit", "", Kind::word, true},
                          {"point"},
                          {"units", "", Kind::count},
                          {"median", "us", Kind::number},
                          {"robust sd", "%", Kind::number},
                          {"worst", "%", Kind::number},
                          {"1 %", "%", Kind::number},
                          {"25 %", "%", Kind::number},
                          {"75 %", "%", Kind::number},
                          {"99 %", "%", Kind::number},
                          {"best", "%", Kind::number}},
              .origin = standing.origin};
  for (const MetricSpread& spread : standing.spreads) {
    std::vector<Cell> row{spread.unit_level, spread.metric, spread.units, Number{spread.median_us},
                          Number{spread.robust_sd_percent}};
    for (const std::size_t at : {0U, 1U, 2U, 4U, 5U, 6U}) row.emplace_back(Number{spread.percent[at]});
    table.rows.push_back(std::move(row));
  }
  table.notes.emplace_back("Off the median of equal hardware; below 0 is slower.");
  return table;
}

}  // namespace assay::results
