// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/collective_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/points/kinds/transport_points.hpp"

namespace assay::results {
namespace {

/// The algorithm and protocol that NCCL was made to choose: "tree/ll", "tree", "any/ll"; empty where the
/// choice was left to it, or does not matter.
std::string forced_to(const StoredPoint& point) {
  if (point.back_end() != "nccl") return {};
  const auto word = [&](const char* axis) {
    const std::string text = field_text(point.axes, {axis});
    return text == "default" ? std::string() : text;
  };
  const std::string algorithm = word("algorithm"), protocol = word("protocol");
  if (protocol.empty()) return algorithm;
  return (algorithm.empty() ? "any" : algorithm) + "/" + protocol;
}

}  // namespace

Fields without(const Fields& axes, const std::string& name) {
  Fields rest = axes;
  std::erase_if(rest, [&](const auto& field) { return field.first == name; });
  return rest;
}

std::string text_of(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += fmt::format(" {}={}", name, scalar_text(value));
  return text;
}

bool CollectivePoint::by_library() const {
  return !point.back_end().starts_with("assay") && forced_to(point).empty();
}

std::string CollectivePoint::contender() const {
  if (by_library()) return point.back_end();
  const std::string forced = forced_to(point);
  if (!forced.empty()) return forced;
  const std::string algorithm = field_text(point.axes, {"algorithm"});
  // NCCL may be forced to a ring as well.
  return point.back_end() == "assay_device" ? "own " + algorithm : algorithm;
}

std::optional<double> CollectivePoint::seen_over_implied() const {
  double seen = 0, implied = 0;
  bool sees = false;
  for (const auto& [name, number] : metrics) {
    const bool of_a_wire = name.starts_with("wire_seen_");
    sees = sees || of_a_wire;
    (of_a_wire ? seen : implied) += of_a_wire || name.starts_with("wire_bytes_") ? number.value : 0;
  }
  return sees && implied > 0 ? std::optional(seen / implied) : std::nullopt;
}

Number CollectivePoint::time_us() const {
  return {1e6 * point.time_s, 1e6 * point.lower_s, 1e6 * point.upper_s};
}

std::vector<CollectivePoint> collective_points(const RunPoints& run, const std::string& cases) {
  auto points = as_view<CollectivePoint>(run.measured(cases));
  std::erase_if(points, [](const CollectivePoint& one) {
    return !one.point.case_name.starts_with("collectives.") || one.point.back_end() == "overlap" ||
           one.point.case_name.starts_with(core::names::workload_cases) || is_host_transport(one.point);
  });
  return points;
}

bool Contest::decided() const { return fields[1].point.lower_s > winner().point.upper_s; }

const CollectivePoint* Contest::library() const {
  const auto found = std::ranges::find_if(fields, &CollectivePoint::by_library);
  return found == fields.end() ? nullptr : &*found;
}

std::optional<Number> Contest::regret() const {
  const CollectivePoint* chosen = library();
  if (chosen == nullptr) return std::nullopt;
  const StoredPoint &theirs = chosen->point, &best = winner().point;
  if (chosen == &winner()) return Number{1};
  return Number{theirs.time_s / best.time_s, theirs.lower_s / best.upper_s, theirs.upper_s / best.lower_s};
}

std::vector<Contest> contests_of(const std::vector<CollectivePoint>& points) {
  core::InOrder<std::tuple<std::string, std::int64_t, Fields>, std::vector<CollectivePoint>> groups;
  for (const CollectivePoint& point : points)
    if (!point.not_a_performance_measurement() && point.point.time_s > 0)
      groups[{point.operation(), point.ranks(), without(without(point.point.axes, "algorithm"), "protocol")}]
          .push_back(point);
  std::vector<Contest> contests;
  for (auto& [key, fields] : groups.take()) {
    if (fields.size() < 2) continue;
    std::ranges::stable_sort(fields, {}, [](const CollectivePoint& point) { return point.point.time_s; });
    const auto& [operation, ranks, axes] = key;
    contests.push_back({operation, ranks, axes, std::move(fields)});
  }
  return contests;
}

}  // namespace assay::results
