// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated workloads: how uneven uplinks are over queue pairs, and which step takes how long.
#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/points/kinds/simulation_points.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

double alike(const SimulationPoint& step) {
  return number_in(step.conditions, core::names::steps_alike).value_or(1);
}

/// "1GiB all_reduce (ring) on 128 GPUs", of the stream where it has a name.
std::string operation_of(const SimulationPoint& step) {
  return field_text(step.conditions, {core::names::operation_text});
}

}  // namespace

Json imbalance_chart(const std::vector<SimulationPoint>& workloads) {
  const chart::Series series(axes_in_words(workloads), {"queue_pairs", "routing"});
  core::InOrder<std::string, std::vector<SimulationPoint>> curves;  // by all else, and routing
  for (const SimulationPoint& one : workloads)
    curves[series.name_of(axes_in_words(one)) + field_text(one.point.axes, {"routing"})].push_back(one);
  Json all = Json::array();
  for (const auto& [name, own] : curves) {
    if (chart::different_values(axes_of(own), "queue_pairs") < 2) continue;
    for (const SimulationPoint& one : own) {
      Json object{{"series", series.name_of(axes_in_words(one))},
                  {"kernel", field_text(one.point.axes, {"routing"})},
                  {"count", field_integer(one.point.axes, {"queue_pairs"}).value_or(1)}};
      chart::put(object, one.interval(core::names::uplinks_max_over_mean));
      if (!object["value"].is_null()) all.push_back(std::move(object));
    }
  }
  Json data = series.chart_of(std::move(all));
  data["notes"] = bases_of(workloads);
  return data;
}

Json step_chart(const std::vector<SimulationPoint>& steps, const std::vector<SimulationPoint>& workloads) {
  const chart::Series series(axes_in_words(steps), {"operation", "step"});
  Json all = Json::array(), totals = Json::array();
  for (const SimulationPoint& one : steps) {
    Json object{{"series", series.name_of(axes_in_words(one))},
                {"kernel", operation_of(one)},
                {"step", field_integer(one.point.axes, {"step"}).value_or(0)},
                {"alike", alike(one)}};
    chart::put(object, simulated_ms(one, alike(one)));
    all.push_back(std::move(object));
  }
  for (const SimulationPoint& one : workloads) {
    Json object{{"series", series.name_of(axes_in_words(one))}};
    chart::put(object, simulated_ms(one));
    totals.push_back(std::move(object));
  }
  Json data = series.chart_of(std::move(all));
  data["totals"] = std::move(totals);
  data["notes"] = bases_of(steps);
  return data;
}

Table simulated_workload_table(const std::vector<SimulationPoint>& workloads) {
  AxesTable all("Simulated workloads", {}, axis_columns(axes_of(workloads)),
                {{"time", "ms", Kind::number},
                 {"busbw", "GB/s", Kind::number},
                 {"uplinks, max/mean", "", Kind::number},
                 {"of what links allow", "%", Kind::number}});
  for (const SimulationPoint& one : workloads)
    all.add({}, one.point.axes,
            {simulated_ms(one), one.interval(core::names::busbw_gb_per_s),
             one.interval(core::names::uplinks_max_over_mean), one.interval(core::names::percent_of_even)});
  all.table.notes = bases_of(workloads);
  return all.table;
}

Table simulated_step_table(const std::vector<SimulationPoint>& steps) {
  AxesTable all("Simulated steps", {{"stream", "", Kind::word, true}, {"of", "", Kind::word, true}},
                axis_columns(axes_of(steps)),
                {{"steps alike", "", Kind::number}, {"time of one", "ms", Kind::number}});
  for (const SimulationPoint& one : steps)
    all.add({field_text(one.conditions, {core::names::stream}), operation_of(one)}, one.point.axes,
            {Number{alike(one)}, simulated_ms(one)});
  all.table.notes = bases_of(steps);
  return all.table;
}

}  // namespace assay::results
