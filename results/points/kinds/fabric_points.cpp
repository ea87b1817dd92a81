// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/fabric_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "harness/core/names.hpp"
#include "results/points/axis_columns.hpp"

namespace assay::results {

bool FabricPoint::is_one_way() const {
  return link.link_class < LinkClass::lossy && field_text(point.axes, {"operation"}) != "read" &&
         field_integer(point.axes, {"bytes"}).value_or(0) > 0 && point.time_s > 0;
}

std::optional<double> FabricPoint::overhead_us() const {
  const auto posting = metric(core::names::host_posting_us), taking = metric(core::names::host_taking_us);
  if (!posting || !taking || *posting + *taking <= 0) return std::nullopt;
  return (*posting + *taking) / 2;
}

std::size_t FabricPoint::ranks_of_flows() const {
  std::size_t ranks = 0;
  for (const FlowReport& flow : flows)
    ranks = std::max(ranks, 1 + static_cast<std::size_t>(std::max(flow.from, flow.to)));
  return ranks;
}

Number FabricPoint::bandwidth_gb_per_s() const {
  if (point.metric == core::names::bandwidth_gb_per_s) return point.headline;
  const auto at = [&](double seconds) { return seconds > 0 ? point.work_bytes / seconds * 1e-9 : NAN; };
  return {at(point.time_s), at(point.upper_s), at(point.lower_s)};
}

bool FabricPoint::fetches() const { return field_text(point.axes, {"operation"}) == "read"; }

std::vector<FabricPoint> fabric_points(const RunPoints& run, const std::string& cases) {
  auto points = as_view<FabricPoint>(run.measured(cases));
  std::erase_if(points, [](const FabricPoint& one) { return !one.point.case_name.starts_with("rdma."); });
  return points;
}

std::vector<FlowReport> flows_of(const FabricPoint& point) {
  static constexpr double last = std::numeric_limits<double>::infinity();
  std::vector<FlowReport> sorted = point.flows;
  std::ranges::sort(sorted, {}, [](const FlowReport& flow) {
    return std::tuple(flow.gb_per_s.value_or(last), flow.from, flow.to);
  });
  return sorted;
}

std::vector<Column> fabric_axis_columns(const std::vector<FabricPoint>& points) {
  auto axes = axis_columns(axes_of(points));
  for (Column& axis : axes) {
    axis.may_lack = axis.name != "operation" && axis.name != "bytes";  // what is moved keeps its column
    if (axis.name == "operation") axis.kind = Column::Kind::word;
  }
  return axes;
}

std::string unclean_text(const std::vector<FabricPoint>& points) {
  std::map<LinkClass, std::size_t, std::greater<>> counts;
  for (const FabricPoint& point : points)
    if (point.link.link_class != LinkClass::clean) ++counts[point.link.link_class];
  std::size_t sum = 0;
  std::string words;
  for (const auto& [link_class, count] : counts) {
    sum += count;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, to_string(link_class));
  }
  return sum == 0 ? "" : fmt::format("{} of {} points not clean: {}", sum, points.size(), words);
}

std::string worst_text(const std::vector<FabricPoint>& points) {
  const auto worst =
      std::ranges::max_element(points, {}, [](const FabricPoint& point) { return point.link.link_class; });
  if (worst == points.end() || worst->link.link_class == LinkClass::clean) return "";
  const auto bytes = field_integer(worst->point.axes, {"bytes"});
  return fmt::format("{} {} {}: {}: {}", worst->point.benchmark(),
                     field_text(worst->point.axes, {"operation"}), bytes ? bytes_text(*bytes) : "",
                     to_string(worst->link.link_class), worst->link.why);
}

}  // namespace assay::results
