// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows among many hosts as maps: who sends, who receives, how fast, and which were suspects.
#include <algorithm>
#include <set>

#include "harness/core/names.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr double suspect_share = 0.93;  // of the median, as the rdma module's pairs have it
constexpr std::size_t least_flows = 3;

Json flow_object(const FlowReport& flow, const std::optional<double>& median) {
  const bool slow = flow.gb_per_s && median && *flow.gb_per_s < suspect_share * *median;
  const bool has_share = flow.gb_per_s && median && *median > 0;
  return {{"from", flow.from},
          {"to", flow.to},
          {"value", chart::number(flow.gb_per_s)},
          {"alone", chart::number(flow.alone_gb_per_s)},
          {"of_median", has_share ? chart::number(100 * *flow.gb_per_s / *median) : Json(nullptr)},
          {"suspect", slow || flow.alone_gb_per_s.has_value()}};
}

Json ranks_of(const FabricPoint& point, const std::vector<FlowReport>& flows) {
  std::set<int> ranks;
  for (const FlowReport& flow : flows) ranks.insert({flow.from, flow.to});
  Json all = Json::array();
  const auto hosts = point.hosts();
  for (const int rank : ranks) {
    const auto host = hosts.find(rank);
    all.push_back(
        {{"rank", rank}, {"name", host == hosts.end() ? "rank " + std::to_string(rank) : host->second}});
  }
  return all;
}

}  // namespace

Json pairs_charts(const std::vector<FabricPoint>& points) {
  std::vector<const FabricPoint*> chosen;
  std::vector<Fields> axes;
  for (const FabricPoint& point : points)
    if (point.metric(core::names::median_flow_gb_per_s) && flows_of(point).size() >= least_flows) {
      chosen.push_back(&point);
      axes.push_back(point.point.axes);
    }
  const chart::Series series(axes, {});
  Json charts = Json::array();
  for (const FabricPoint* point : chosen) {
    const auto flows = flows_of(*point);
    const auto median = point->metric(core::names::median_flow_gb_per_s);
    Json cells = Json::array();
    for (const FlowReport& flow : flows) cells.push_back(flow_object(flow, median));
    charts.push_back(
        {{"series", chart::joined_parts(point->point.benchmark(), series.name_of(point->point.axes))},
         {"median", chart::number(median)},
         {"link_class", to_string(point->link.link_class)},
         {"ranks", ranks_of(*point, flows)},
         {"flows", cells}});
  }
  return charts;
}

}  // namespace assay::results
