// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/stored_pairs.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/error.hpp"
#include "results/points/fabric_points.hpp"
#include "results/points/round_count.hpp"

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

class StoredPairs {
 public:
  void add(const results::FabricPoint& point, const std::map<int, fabric::NodeId>& named,
           const fabric::Topology& topology) {
    results::RoundCount rounds;
    for (const results::FlowReport& flow : point.flows) {
      const auto round = static_cast<std::uint32_t>(rounds.of(flow));
      const double rate = flow.alone_gb_per_s.value_or(flow.gb_per_s.value_or(0));
      if (!(rate > 0)) continue;
      fabric::NodeId source = host_of(flow.from, named, topology, point);
      fabric::NodeId destination = host_of(flow.to, named, topology, point);
      if (source == destination)
        core::usage_error(fmt::format("{}: ranks {} and {} are one host of the fabric", point.point.key,
                                      flow.from, flow.to));
      if (point.fetches()) std::swap(source, destination);
      const std::uint32_t at_once = flow.alone_gb_per_s ? alone_-- : first_ + round;
      pairs_.measurements.push_back({{measured_flow(source, destination, flow.queue_pairs)},
                                     rate * bytes_per_us_of_gb_per_s,
                                     0,
                                     at_once});
      ++pairs_.flows;
      pairs_.known_paths += flow.queue_pairs.empty() ? 0 : 1;
    }
    first_ += static_cast<std::uint32_t>(rounds.rounds());
  }

  locate::MeasuredPairs take() { return std::move(pairs_); }

 private:
  locate::MeasuredPairs pairs_;
  std::uint32_t first_ = 0, alone_ = ~0U;  // rounds of the next point, and of the next flow alone
};

}  // namespace

std::optional<fabric::NodeId> host_of_rank(const locate::NodeNames& names, const std::string& node,
                                           const std::string& rail) {
  const auto host = rail.empty() ? std::nullopt : names.find_host(node + " " + rail);
  return host ? host : names.find_host(node);
}

locate::MeasuredFlow measured_flow(fabric::NodeId source, fabric::NodeId destination,
                                   std::span<const core::QueuePairReport> queue_pairs) {
  locate::MeasuredFlow flow{source, destination};
  if (!queue_pairs.empty()) flow.queue_pairs.clear();
  for (const core::QueuePairReport& one : queue_pairs)
    flow.queue_pairs.push_back({fabric::QueuePairPorts{static_cast<std::uint16_t>(one.source_port),
                                                       static_cast<std::uint32_t>(one.destination_qpn)}});
  return flow;
}

locate::MeasuredPairs stored_pairs(const results::Store& store, const std::optional<std::string>& run,
                                   const std::string& cases, const fabric::Topology& topology,
                                   const locate::NodeNames& names) {
  const results::RunPoints points(store, run);
  StoredPairs pairs;
  bool repeated = false;
  for (const results::FabricPoint& point : results::fabric_points(points, cases)) {
    pairs.add(point, named_hosts(point, names), topology);
    repeated = repeated || point.repetitions > 1;
  }
  locate::MeasuredPairs all = pairs.take();
  all.origin = points.origin();
  if (all.measurements.empty())
    core::usage_error(fmt::format("run {}: expected points of {} with the rates of their flows",
                                  points.stored().run_id, cases));
  if (!repeated && all.known_paths == all.flows) all.concurrency = locate::Concurrency::together;
  return all;
}

}  // namespace assay::cli
