// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/measured/rank_hosts.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"

namespace assay::model::fabric::measured {

std::map<int, NodeId> RankHosts::named(const results::MeasuredPoint& point) const {
  std::map<int, NodeId> hosts;
  const std::map<int, std::int64_t> rails = point.rails();
  for (const auto& [rank, node] : point.hosts()) {
    const auto rail = rails.find(rank);
    const std::string port = rail == rails.end() ? "" : fmt::format("rail{}", rail->second);
    if (const auto host = names_->find_port(node, port)) hosts[rank] = *host;
  }
  return hosts;
}

std::vector<NodeId> RankHosts::hosts_of(const results::MeasuredPoint& point, std::size_t ranks) const {
  const std::size_t places = order_.empty() ? topology_->hosts() : order_.size();
  const std::map<int, NodeId> by_name = order_.empty() ? named(point) : std::map<int, NodeId>();
  std::map<NodeId, std::size_t> rank_of;
  std::vector<NodeId> hosts;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto found = by_name.find(static_cast<int>(rank));
    if (found == by_name.end() && !by_name.empty())
      core::usage_error(
          fmt::format("{}: the fabric has no host for rank {}, though for others", point.point.key, rank));
    if (by_name.empty() && rank >= places)
      core::usage_error(order_.empty() ? fmt::format("rank {}: the fabric has {} hosts", rank, places)
                                       : fmt::format("rank {}: --run-order places {} ranks", rank, places));
    const NodeId linear = order_.empty() ? static_cast<NodeId>(rank) : order_[std::min(rank, places - 1)];
    hosts.push_back(by_name.empty() ? linear : found->second);
    const auto [other, is_new] = rank_of.emplace(hosts.back(), rank);
    if (!is_new)
      core::usage_error(fmt::format("{}: ranks {} and {} are one host of the fabric", point.point.key,
                                    other->second, rank));
  }
  return hosts;
}

}  // namespace assay::model::fabric::measured
