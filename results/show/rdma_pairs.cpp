// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which flow is slow: a row for each direction of a pair that ran among others, held against the median.
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "results/points/axis_columns.hpp"
#include "results/points/fabric_points.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell spread_cell(const std::optional<double>& value) { return value ? Cell(Number{*value}) : Cell(); }

Cell percent_of(const std::optional<double>& value, const std::optional<double>& whole) {
  return value && whole && *whole > 0 ? Cell(Number{100 * *value / *whole}) : Cell();
}

Cell host_of(const std::map<int, std::string>& hosts, int rank) {
  const auto host = hosts.find(rank);
  return host == hosts.end() ? Cell() : Cell(host->second);
}

void add_flows(Table& table, const FabricPoint& point, const std::vector<FlowReport>& flows,
               const std::vector<Column>& axes) {
  const auto median = point.metric(core::names::median_flow_gb_per_s);
  const auto hosts = point.hosts();
  for (const FlowReport& flow : flows) {
    std::vector<Cell> row{point.point.back_end(), point.point.benchmark()};
    for (const Column& axis : axes) row.push_back(axis_cell(point.point.axes, axis));
    for (const int rank : {flow.from, flow.to}) {
      row.emplace_back(std::int64_t{rank});
      row.push_back(host_of(hosts, rank));
    }
    for (const auto& rate : {flow.gb_per_s, flow.alone_gb_per_s}) {
      row.push_back(spread_cell(rate));
      row.push_back(percent_of(rate, median));
    }
    row.emplace_back(std::string(to_string(point.link.link_class)));
    table.rows.push_back(std::move(row));
  }
}

/// A record lists at most 4,096 flows.
std::string untold_text(const FabricPoint& point) {
  const auto slowest = point.metric(core::names::slowest_flow_gb_per_s),
             median = point.metric(core::names::median_flow_gb_per_s);
  if (!slowest || !median) return "";
  return fmt::format(
      "{}: more flows than its record lists; the slowest {} GB/s, the median {} GB/s, those run again "
      "alone are "
      "above.",
      point.point.case_name, number_text({*slowest}), number_text({*median}));
}

}  // namespace

Table show_rdma_pairs(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points,
                [](const FabricPoint& point) { return !point.metric(core::names::median_flow_gb_per_s); });
  std::ranges::stable_partition(points,
                                [](const FabricPoint& point) { return point.point.benchmark() == "pairs"; });
  const auto axes = fabric_axis_columns(points);
  Table table{.title = title_of("RDMA flows", run),
              .notes = {},
              .columns = {{"back end", "", Kind::word, true}, {"benchmark", "", Kind::word, true}},
              .rows = {}};
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(table.columns.end(), {{"from", "", Kind::count},
                                             {"from host", "", Kind::word},
                                             {"to", "", Kind::count},
                                             {"to host", "", Kind::word},
                                             {"bandwidth", "GB/s", Kind::number},
                                             {"of median", "%", Kind::number},
                                             {"alone", "GB/s", Kind::number, false, true},
                                             {"alone of median", "%", Kind::number, false, true},
                                             {"class", "", Kind::word, true}});
  for (const FabricPoint& point : points) {
    const auto flows = flows_of(point);
    add_flows(table, point, flows, axes);
    const bool untold =
        std::ranges::none_of(flows, [](const FlowReport& flow) { return flow.gb_per_s.has_value(); });
    if (untold) table.notes.push_back(untold_text(point));
  }
  table.notes.emplace_back(
      "From rank to rank; the median is of the flows of the same point. Alone: a suspect run again by "
      "itself. The class "
      "is of the whole point.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
