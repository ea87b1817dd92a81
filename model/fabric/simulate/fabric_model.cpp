// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/fabric_model.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/sharing/buffer_cycle.hpp"
#include "model/fabric/table_cycle.hpp"

namespace assay::model::fabric {

namespace {

constexpr double payload_bytes = 4096;  // of a packet (topology.hpp)

std::vector<LinkId> cycle_of(const FabricFile& file, const Topology& topology) {
  return file.routing.kind == RoutingKind::tables ? table_cycle(topology, *file.routing.tables)
                                                  : buffer_cycle(topology);
}

std::string kind_of_name(const std::string& name) { return name.substr(0, name.find_first_of("0123456789")); }

}  // namespace

FabricModel::FabricModel(FabricFile file)
    : file_(std::move(file)),
      topology_(topology_of(file_)),
      buffer_cycle_(cycle_of(file_, topology_)),
      capacities_(capacities_of(file_, topology_)) {
  constexpr double never = std::numeric_limits<double>::infinity();
  for (LinkId link = 0; link < topology_.links(); ++link) {
    const NodeId from = topology_.from(link);
    queues_.push_back(
        {capacities_[link], from < topology_.hosts() ? never : pause_above_bytes(file_, topology_, from)});
  }
  if (!file_.server.nvlink_bytes_per_us) return;
  capacities_.resize(topology_.links() + 2 * std::size_t{topology_.hosts()},
                     *file_.server.nvlink_bytes_per_us);
  queues_.resize(capacities_.size(), {*file_.server.nvlink_bytes_per_us, never});
}

/// Up and down from each tier of nodes, then to and from NVLink.
std::size_t FabricModel::tier_number(LinkId link) const {
  if (link >= topology_.links()) return 2 * topology_.tiers() + (link >= nvlink_to(0) ? 1 : 0);
  const std::size_t from = topology_.tier_of(topology_.from(link)),
                    to = topology_.tier_of(topology_.to(link));
  return 2 * std::min(from, to) + (from < to ? 0 : 1);
}

std::string FabricModel::name_of_link(LinkId link) const {
  if (link < topology_.links()) return topology_.name_of_link(link);
  const NodeId at = link - topology_.links(), hosts = topology_.hosts();
  return at < hosts ? topology_.name_of(at) + ">nvlink" : "nvlink>" + topology_.name_of(at - hosts);
}

std::string FabricModel::tier_of_link(LinkId link) const {
  const std::string name = name_of_link(link);
  const std::size_t arrow = name.find('>');
  return kind_of_name(name.substr(0, arrow)) + ">" + kind_of_name(name.substr(arrow + 1));
}

double FabricModel::packet_us(LinkId link) const { return payload_bytes / capacities_[link]; }

double FabricModel::latency_us(std::span<const LinkId> path) const {
  double sum_us = 2 * file_.server.overhead_us;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    if (path[hop] >= topology_.links()) continue;  // NVLink has no latency of its own here
    sum_us += topology_.latency_us(path[hop]) + (hop == 0 ? 0 : packet_us(path[hop]));
  }
  return sum_us;
}

double FabricModel::round_trip_us(std::span<const LinkId> path) const {
  double sum_us = 0;
  for (const LinkId link : path)
    if (link < topology_.links()) sum_us += 2 * topology_.latency_us(link) + packet_us(link);
  return sum_us;
}

SenderSettings FabricModel::sender(std::span<const LinkId> path, double bytes, double part) const {
  const double line = part * capacities_[path.front()];
  if (!file_.admission || path.front() >= topology_.links()) return {bytes, line, part};
  const double window = part * file_.admission->window_bytes() / parts();
  return {std::min(window, bytes), std::min(line, window / (round_trip_us(path) + file_.admission->wait_us)),
          part};
}

bool FabricModel::window_limits(std::span<const LinkId> path) const {
  if (!file_.admission || path.front() >= topology_.links()) return false;
  return file_.admission->window_bytes() <
         capacities_[path.front()] * (round_trip_us(path) + file_.admission->wait_us);
}

int FabricModel::distance(NodeId one, NodeId other) const {
  const NodeId leaf = topology_.leaf_of(one) - topology_.hosts(),
               to = topology_.leaf_of(other) - topology_.hosts();
  if (leaf == to) return 0;
  const auto* centre = std::get_if<DataCentreShape>(&file_.shape);
  return centre == nullptr || leaf / centre->zone.leaves == to / centre->zone.leaves ? 1 : 2;
}

RoutingSettings FabricModel::routing(std::uint32_t seed) const {
  RoutingSettings settings = file_.routing;
  settings.seed = seed;
  settings.queue_pairs = parts();
  return settings;
}

}  // namespace assay::model::fabric
