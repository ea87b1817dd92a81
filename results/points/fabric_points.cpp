// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/fabric_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "results/points/axis_columns.hpp"

namespace assay::results {
namespace {

/// The number at the start of `text`, which loses it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::map<int, std::string> FabricPoint::hosts() const { return values_by_rank(conditions, "host"); }

Number FabricPoint::bandwidth_gb_per_s() const {
  if (point.metric == "bandwidth_gb_per_s") return point.headline;
  const auto at = [&](double seconds) { return seconds > 0 ? point.work_bytes / seconds * 1e-9 : NAN; };
  return {at(point.time_s), at(point.upper_s), at(point.lower_s)};
}

std::vector<FabricPoint> fabric_points(const RunPoints& run, const std::string& cases) {
  auto points = as_view<FabricPoint>(run.measured(cases));
  std::erase_if(points, [](const FabricPoint& one) { return !one.point.case_name.starts_with("rdma."); });
  return points;
}

std::vector<FabricFlow> flows_of(const FabricPoint& point) {
  std::map<std::pair<int, int>, FabricFlow> flows;
  for (const auto& [name, number] : point.metrics) {
    std::string_view rest = name;
    const bool alone = take_word(rest, "alone_");
    if (!alone && !take_word(rest, "flow_")) continue;
    const auto from = take_number(rest);
    const auto to = from && take_word(rest, "_to_") ? take_number(rest) : std::nullopt;
    if (!to || rest != "_gb_per_s") continue;
    FabricFlow& flow = flows[{*from, *to}];
    flow.from = *from;
    flow.to = *to;
    (alone ? flow.alone_gb_per_s : flow.gb_per_s) = number.value;
  }
  std::vector<FabricFlow> sorted;
  for (const auto& [ranks, flow] : flows) sorted.push_back(flow);
  std::ranges::stable_sort(sorted, {}, [](const FabricFlow& flow) {
    return flow.gb_per_s.value_or(std::numeric_limits<double>::infinity());
  });
  return sorted;
}

std::vector<Column> fabric_axis_columns(const std::vector<FabricPoint>& points) {
  std::vector<Fields> all;
  for (const FabricPoint& point : points) all.push_back(point.point.axes);
  auto axes = axis_columns(all);
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

std::string gravest_text(const std::vector<FabricPoint>& points) {
  const auto gravest =
      std::ranges::max_element(points, {}, [](const FabricPoint& point) { return point.link.link_class; });
  if (gravest == points.end() || gravest->link.link_class == LinkClass::clean) return "";
  const auto bytes = field_integer(gravest->point.axes, {"bytes"});
  return fmt::format("{} {} {}: {}: {}", gravest->point.benchmark(),
                     field_text(gravest->point.axes, {"operation"}), bytes ? bytes_text(*bytes) : "",
                     to_string(gravest->link.link_class), gravest->link.why);
}

}  // namespace assay::results
