// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/stored_pairs.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/measured/rank_hosts.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/round_count.hpp"

namespace assay::answers {

namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

constexpr double bytes_per_us_of_gb_per_s = 1000;

class StoredPairs {
 public:
  /// `hosts`: of each rank.
  void add(const results::FabricPoint& point, const std::vector<fabric::NodeId>& hosts) {
    for (const auto& [rank, address] : point.addresses())
      if (static_cast<std::size_t>(rank) < hosts.size())
        pairs_.see_address(hosts[static_cast<std::size_t>(rank)], address);
    results::RoundCount rounds;
    for (const results::FlowReport& flow : point.flows) {
      const auto round = static_cast<std::uint32_t>(rounds.of(flow));
      const double rate = flow.alone_gb_per_s.value_or(flow.gb_per_s.value_or(0));
      if (!(rate > 0)) continue;
      fabric::NodeId source = hosts[static_cast<std::size_t>(flow.from)];
      fabric::NodeId destination = hosts[static_cast<std::size_t>(flow.to)];
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
  const fabric::measured::RankHosts ranks(topology, names);
  StoredPairs pairs;
  bool repeated = false;
  for (const results::FabricPoint& point : results::fabric_points(points, cases)) {
    pairs.add(point, ranks.hosts_of(point, point.ranks_of_flows()));
    repeated = repeated || point.point.repetitions > 1;
  }
  locate::MeasuredPairs all = pairs.take();
  all.origin = points.origin();
  if (all.measurements.empty())
    core::usage_error(fmt::format("run {}: expected points of {} with the rates of their flows",
                                  points.stored().run_id, cases));
  if (!repeated && all.known_paths == all.flows) all.concurrency = locate::Concurrency::together;
  return all;
}

}  // namespace assay::answers
