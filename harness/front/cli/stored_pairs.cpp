// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/stored_pairs.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/fabric/measured/rank_hosts.hpp"
#include "results/points/fabric_points.hpp"

namespace assay::cli {

namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

constexpr double bytes_per_us_of_gb_per_s = 1000;

}  // namespace

locate::MeasuredPairs stored_pairs(const results::Store& store, const std::optional<std::string>& run,
                                   const std::string& cases, const fabric::Topology& topology,
                                   const locate::NodeNames& names) {
  const results::RunPoints points(store, run);
  const fabric::measured::RankHosts ranks(topology, names);
  locate::MeasuredPairs pairs;
  pairs.origin = points.origin();
  for (const results::FabricPoint& point : results::fabric_points(points, cases)) {
    const std::vector<fabric::NodeId> hosts = ranks.hosts_of(point, point.ranks_of_flows());
    for (const results::FlowReport& flow : point.flows) {
      const double rate = flow.alone_gb_per_s.value_or(flow.gb_per_s.value_or(0));
      if (!(rate > 0)) continue;
      locate::MeasuredFlow measured;
      measured.source = hosts[static_cast<std::size_t>(flow.from)];
      measured.destination = hosts[static_cast<std::size_t>(flow.to)];
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
