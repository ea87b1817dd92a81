// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows of pairs that ran among others, to see which is slow: a row a direction, compared with the median.
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell percent_of(const std::optional<double>& value, const std::optional<double>& whole) {
  return value && whole && *whole > 0 ? Cell(Number{100 * *value / *whole}) : Cell();
}

/// "3", and "3 to 5" between two rails.
Cell rail_of(const FlowReport& flow, const std::map<int, std::int64_t>& rails) {
  const auto from = rails.find(flow.from), to = rails.find(flow.to);
  if (from == rails.end() || to == rails.end()) return {};
  return from->second == to->second ? fmt::format("{}", from->second)
                                    : fmt::format("{} to {}", from->second, to->second);
}

void add_flows(AxesTable& shown, const FabricPoint& point, const std::vector<FlowReport>& flows) {
  const auto median = point.metric(core::names::median_flow_gb_per_s);
  const auto hosts = point.hosts();
  const auto host_of = [&](int rank) {
    const auto host = hosts.find(rank);
    return host == hosts.end() ? Cell() : Cell(host->second);
  };
  const auto rails = point.rails();
  for (const FlowReport& flow : flows)
    shown.add({point.point.back_end(), point.point.benchmark()}, point.point.axes,
              {std::int64_t{flow.from}, host_of(flow.from), std::int64_t{flow.to}, host_of(flow.to),
               rail_of(flow, rails), number_cell(flow.gb_per_s), percent_of(flow.gb_per_s, median),
               number_cell(flow.alone_gb_per_s), percent_of(flow.alone_gb_per_s, median),
               std::string(to_string(point.link.link_class))});
}

/// A record lists at most 4,096 flows.
std::string unlisted_text(const FabricPoint& point) {
  const auto slowest = point.metric(core::names::slowest_flow_gb_per_s),
             median = point.metric(core::names::median_flow_gb_per_s);
  if (!slowest || !median) return "";
  return fmt::format(
      "{}: more flows than its record lists; the slowest {} GB/s, the median {} GB/s, those run again "
      "alone are above.",
      point.point.case_name, number_text({*slowest}), number_text({*median}));
}

}  // namespace

Table show_rdma_pairs(const RunPoints& run, const ShowOptions& options) {
  auto points = fabric_points(run, options.filter.empty() ? "rdma.*" : options.filter);
  std::erase_if(points,
                [](const FabricPoint& point) { return !point.metric(core::names::median_flow_gb_per_s); });
  std::ranges::stable_partition(points,
                                [](const FabricPoint& point) { return point.point.benchmark() == "pairs"; });
  AxesTable shown(title_of("RDMA flows", run),
                  {{"back end", "", Kind::word, true}, {"benchmark", "", Kind::word, true}},
                  fabric_axis_columns(points),
                  {{"from", "", Kind::count},
                   {"from host", "", Kind::word},
                   {"to", "", Kind::count},
                   {"to host", "", Kind::word},
                   {"rail", "", Kind::word, false, true},
                   {"bandwidth", "GB/s", Kind::number},
                   {"of median", "%", Kind::number},
                   {"alone", "GB/s", Kind::number, false, true},
                   {"alone of median", "%", Kind::number, false, true},
                   {"class", "", Kind::word, true}});
  Table& table = shown.table;
  for (const FabricPoint& point : points) {
    const auto flows = flows_of(point);
    add_flows(shown, point, flows);
    if (std::ranges::all_of(flows, [](const FlowReport& flow) { return !flow.gb_per_s; }))
      table.notes.push_back(unlisted_text(point));
  }
  table.notes.emplace_back(
      "From rank to rank; the median is of the flows of the same point. Alone: a suspect run again by "
      "itself. The class is of the whole point.");
  return table;
}

}  // namespace assay::results
