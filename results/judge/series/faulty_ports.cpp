// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/faulty_ports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::results {

void FaultyPorts::take(const FleetPoint& point) {
  if (point.evidence.links.empty()) return;
  const std::map<int, LinkEnd> ends = point.ends_by_rank();
  for (const LinkReport& report : point.evidence.links) {
    const auto end = ends.find(report.rank);
    if (end == ends.end()) continue;
    Port& port = ports_[end->second];
    ++port.points;
    if (report.link_class != LinkClass::faulty) continue;
    ++port.faulty;
    for (const auto& counter : report.counters)
      if (counter.speaks_for == LinkClass::faulty) port.moved[counter.counter] += counter.moved;
  }
}

std::vector<FleetIssue> FaultyPorts::issues() const {
  constexpr std::size_t least_points = 2;
  std::vector<FleetIssue> issues;
  for (const auto& [end, port] : ports_) {
    if (port.faulty < least_points) continue;
    std::vector<std::string> moved;
    for (const auto& [counter, by] : port.moved) moved.push_back(fmt::format("{} +{}", counter, by));
    issues.push_back({.unit = end.name(),
                      .metric = "counters of its link",
                      .reason = fmt::format("faulty in {} of {} points: {}", port.faulty, port.points,
                                            fmt::join(moved, ", ")),
                      .meaning = "cable, module or port: what counts errors cannot be relied on"});
  }
  return issues;
}

}  // namespace assay::results
