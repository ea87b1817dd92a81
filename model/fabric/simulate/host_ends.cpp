// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/host_ends.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace assay::model::fabric {

namespace {

constexpr double alike = 1e-9;  // relative: loads that differ by less are equal

void take_load(HostEnds& ends, double load_us, double latency_us) {
  if (load_us < ends.load_us * (1 - alike)) return;
  if (load_us > ends.load_us * (1 + alike)) ends.busiest_us = 0;
  ends.load_us = std::max(ends.load_us, load_us);
  ends.busiest_us = std::max(ends.busiest_us, load_us + latency_us);
}

struct LinkUse {
  double bytes = 0, latency_us = 0;  // in all, and of the farthest

  void add(double more, double us) {
    bytes += more;
    latency_us = std::max(latency_us, us);
  }
};

}  // namespace

HostEnds host_ends(const FabricModel& model, const OperationSends& exchange, int step,
                   const LatencyBetween& latency_us, std::span<const double> capacities) {
  HostEnds ends;
  std::vector<LinkUse> out(model.topology().hosts()), in(out.size());
  for (const NodeId from : exchange.hosts())
    exchange.sends_of(from, step, [&](NodeId to, std::uint64_t amount) {
      const auto bytes = static_cast<double>(amount);
      if (model.by_nvlink(from, to)) {
        const std::array path{model.nvlink_from(from), model.nvlink_to(to)};
        ends.alone_us = std::max(ends.alone_us, bytes / capacities[path[0]] + model.latency_us(path));
        return;
      }
      const double us = latency_us(from, to),
                   capacity = std::min(capacities[from], capacities[model.topology().link_to_host(to)]);
      ends.alone_us = std::max(ends.alone_us, bytes / capacity + us);
      out[from].add(bytes, us);
      in[to].add(bytes, us);
    });
  for (NodeId host = 0; host < out.size(); ++host) {
    take_load(ends, out[host].bytes / capacities[host], out[host].latency_us);
    take_load(ends, in[host].bytes / capacities[model.topology().link_to_host(host)], in[host].latency_us);
  }
  return ends;
}

HostEnds ends_of_all(const FabricModel& model, const OperationSends& exchange, double latency_us,
                     std::span<const double> capacities) {
  HostEnds ends;
  for (const RankGroup& group : exchange.operation().groups) {
    const double block = static_cast<double>(exchange.operation().bytes) / static_cast<double>(group.size());
    std::map<NodeId, std::size_t> near;  // ranks that share a server's NVLink
    const bool nvlink = model.file().server.nvlink_bytes_per_us.has_value();
    const auto server_of = [&](NodeId host) {
      return nvlink ? host / static_cast<NodeId>(model.file().server.gpus) : host;
    };
    for (const std::uint32_t rank : group) ++near[server_of(exchange.host_of(rank))];
    for (const std::uint32_t rank : group) {
      const NodeId host = exchange.host_of(rank);
      const auto far = static_cast<double>(group.size() - near[server_of(host)]);
      if (far <= 0) continue;
      const double capacity = std::min(capacities[host], capacities[model.topology().link_to_host(host)]);
      ends.alone_us = std::max(ends.alone_us, block / capacity + latency_us);
      take_load(ends, far * block / capacity, latency_us);
    }
  }
  return ends;
}

}  // namespace assay::model::fabric
