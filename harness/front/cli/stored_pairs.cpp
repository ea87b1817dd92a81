// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/stored_pairs.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "results/points/fabric_points.hpp"

namespace assay::cli {

namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

constexpr double bytes_per_us_of_gb_per_s = 1000;

/// By what the records call a rank's place; nothing where the fabric has no such host.
std::map<int, fabric::NodeId> named_hosts(const results::FabricPoint& point, const locate::NodeNames& names) {
  std::map<int, fabric::NodeId> hosts;
  const std::map<int, std::int64_t> rails = point.rails();
  for (const auto& [rank, node] : point.hosts()) {
    const auto rail = rails.find(rank);
    const std::string port = rail == rails.end() ? "" : fmt::format("rail{}", rail->second);
    if (const auto host = host_of_rank(names, node, port)) hosts[rank] = *host;
  }
  return hosts;
}

fabric::NodeId host_of(int rank, const std::map<int, fabric::NodeId>& named, const fabric::Topology& topology,
                       const results::FabricPoint& point) {
  const auto found = named.find(rank);
  if (found != named.end()) return found->second;
  if (!named.empty())
    core::usage_error(
        fmt::format("{}: the fabric has no host for rank {}, though for others", point.point.key, rank));
  if (rank < 0 || static_cast<std::uint32_t>(rank) >= topology.hosts())
    core::usage_error(fmt::format("rank {}: the fabric has {} hosts", rank, topology.hosts()));
  return static_cast<fabric::NodeId>(rank);
}

}  // namespace

std::optional<fabric::NodeId> host_of_rank(const locate::NodeNames& names, const std::string& node,
                                           const std::string& rail) {
  const auto host = rail.empty() ? std::nullopt : names.find_host(node + " " + rail);
  return host ? host : names.find_host(node);
}

locate::MeasuredPairs stored_pairs(const results::Store& store, const std::optional<std::string>& run,
                                   const std::string& cases, const fabric::Topology& topology,
                                   const locate::NodeNames& names) {
  const results::RunPoints points(store, run);
  locate::MeasuredPairs pairs;
  pairs.origin = points.origin();
  for (const results::FabricPoint& point : results::fabric_points(points, cases)) {
    const std::map<int, fabric::NodeId> named = named_hosts(point, names);
    for (const results::FlowReport& flow : point.flows) {
      const double rate = flow.alone_gb_per_s.value_or(flow.gb_per_s.value_or(0));
      if (!(rate > 0)) continue;
      locate::MeasuredFlow measured;
      measured.source = host_of(flow.from, named, topology, point);
      measured.destination = host_of(flow.to, named, topology, point);
      if (measured.source == measured.destination)
        core::usage_error(fmt::format("{}: ranks {} and {} are one host of the fabric", point.point.key,
                                      flow.from, flow.to));
      pairs.measurements.push_back({{measured}, rate * bytes_per_us_of_gb_per_s, 0, 0});
      ++pairs.flows;
    }
  }
  if (pairs.measurements.empty())
    core::usage_error(fmt::format("run {}: expected points of {} with the rates of their flows",
                                  points.stored().run_id, cases));
  return pairs;
}

}  // namespace assay::cli
