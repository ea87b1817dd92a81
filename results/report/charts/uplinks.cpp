// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The load of every uplink of simulated leaves, a map for each policy.
#include <algorithm>

#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/points/kinds/simulation_points.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

std::int64_t leaf_of(const SimulationPoint& point) {
  return field_integer(point.point.axes, {"leaf"}).value_or(0);
}

/// "64 of 256 leaves: ..."; "" where all are there.
std::string left_out_text(const std::vector<SimulationPoint>& leaves, std::size_t shown) {
  const auto all = number_in(leaves.front().conditions, core::names::leaves);
  if (!all || *all <= static_cast<double>(shown)) return "";
  return std::to_string(shown) + " of " + std::to_string(static_cast<std::int64_t>(*all)) +
         " leaves: the most loaded of those whose uplinks carry anything";
}

}  // namespace

Json uplink_maps(const std::vector<SimulationPoint>& leaves) {
  const chart::Series series(axes_in_words(leaves), {"leaf"});
  core::InOrder<std::string, std::vector<SimulationPoint>> policies;
  for (const SimulationPoint& one : leaves) policies[series.name_of(axes_in_words(one))].push_back(one);
  Json maps = Json::array();
  for (const auto& [name, own] : policies) {
    Json cells = Json::array();
    double most = 0;
    for (const SimulationPoint& leaf : own)
      for (const auto& [uplink, over_mean] : uplink_loads(leaf)) {
        cells.push_back({{"row", leaf_of(leaf)}, {"column", uplink}, {"value", chart::number(over_mean)}});
        most = std::max(most, over_mean);
      }
    maps.push_back({{"title", name},
                    {"most", most},
                    {"seed", field_integer(own.front().conditions, {core::names::seed}).value_or(1)},
                    {"remark", left_out_text(own, own.size())},
                    {"cells", cells}});
  }
  return {{"matrices", maps}, {"same", series.same()}, {"notes", bases_of(leaves)}};
}

Table uplink_table(const std::vector<SimulationPoint>& leaves) {
  std::int64_t uplinks = 0;
  for (const SimulationPoint& leaf : leaves)
    for (const auto& [uplink, over_mean] : uplink_loads(leaf)) uplinks = std::max(uplinks, uplink + 1);
  std::vector<Column> columns = {{"max/mean", "", Kind::number}};
  for (std::int64_t uplink = 0; uplink < uplinks; ++uplink)
    columns.push_back({"uplink " + std::to_string(uplink), "", Kind::number});
  AxesTable all("Load of uplinks over their mean", {}, axis_columns(axes_of(leaves)), columns);
  for (const SimulationPoint& leaf : leaves) {
    std::vector<Cell> values(columns.size());
    values.front() = leaf.interval(core::names::uplinks_max_over_mean);
    for (const auto& [uplink, over_mean] : uplink_loads(leaf))
      values[static_cast<std::size_t>(uplink) + 1] = Number{over_mean};
    all.add({}, leaf.point.axes, values);
  }
  all.table.notes = bases_of(leaves);
  return all.table;
}

}  // namespace assay::results
