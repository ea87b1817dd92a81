// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/presets.hpp"

#include <cmath>
#include <limits>

#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

void want(std::uint32_t count, const char* what) {
  if (count == 0) refuse(std::string(what) + " must be at least 1, got 0");
}

std::uint32_t product(std::uint64_t one, std::uint64_t other) {
  if (other != 0 && one > std::numeric_limits<std::uint32_t>::max() / other / 4)
    refuse(std::to_string(one) + " times " + std::to_string(other) + " is too large");
  return static_cast<std::uint32_t>(one * other);
}

void check(const ZoneShape& shape) {
  want(shape.leaves, "leaves");
  want(shape.gpus_per_leaf, "gpus_per_leaf");
  want(shape.spines, "spines");
  want(shape.uplinks_per_spine, "uplinks_per_spine");
}

/// `copies` cables from each of the lower nodes to each of the upper.
void join_all(std::vector<Cable>& cables, NodeId lower, std::uint32_t lowers, NodeId upper,
              std::uint32_t uppers, std::uint32_t copies, LinkSpeed speed) {
  for (NodeId from = lower; from < lower + lowers; ++from)
    for (NodeId to = upper; to < upper + uppers; ++to)
      for (std::uint32_t copy = 0; copy < copies; ++copy) cables.push_back({from, to, speed});
}

/// `each` hosts in a row on each leaf.
std::vector<Cable> hosts_on_leaves(std::uint32_t leaves, std::uint32_t each, LinkSpeed speed) {
  const std::uint32_t hosts = product(leaves, each);
  std::vector<Cable> cables;
  for (NodeId host = 0; host < hosts; ++host) cables.push_back({host, hosts + host / each, speed});
  return cables;
}

}  // namespace

Topology star(std::uint32_t hosts, LinkSpeed speed) {
  want(hosts, "hosts");
  return Topology({{"host", hosts}, {"leaf", 1}}, hosts_on_leaves(1, hosts, speed));
}

Topology ai_zone(const ZoneShape& shape, LinkSpeed speed) {
  check(shape);
  std::vector<Cable> cables = hosts_on_leaves(shape.leaves, shape.gpus_per_leaf, speed);
  const auto hosts = static_cast<NodeId>(cables.size());
  join_all(cables, hosts, shape.leaves, hosts + shape.leaves, shape.spines, shape.uplinks_per_spine, speed);
  return Topology({{"host", hosts}, {"leaf", shape.leaves}, {"spine", shape.spines}}, cables);
}

Topology data_centre(const DataCentreShape& shape, LinkSpeed speed) {
  check(shape.zone);
  want(shape.zones, "zones");
  if (!(shape.ratio > 0) || !std::isfinite(shape.ratio))
    refuse("ratio must be above 0, got " + std::to_string(shape.ratio));
  const ZoneShape& zone = shape.zone;
  const double down = static_cast<double>(zone.leaves) * zone.uplinks_per_spine;
  const auto uplinks = static_cast<std::uint32_t>(std::ceil(down / shape.ratio - 1e-9));
  LinkSpeed upper = speed;
  upper.gbit_per_s = speed.gbit_per_s * down / shape.ratio / uplinks;
  const std::uint32_t leaves = product(shape.zones, zone.leaves), spines = product(shape.zones, zone.spines);
  std::vector<Cable> cables = hosts_on_leaves(leaves, zone.gpus_per_leaf, speed);
  const auto hosts = static_cast<NodeId>(cables.size());
  for (std::uint32_t at = 0; at < shape.zones; ++at)
    join_all(cables, hosts + at * zone.leaves, zone.leaves, hosts + leaves + at * zone.spines, zone.spines,
             zone.uplinks_per_spine, speed);
  join_all(cables, hosts + leaves, spines, hosts + leaves + spines, uplinks, 1, upper);
  return Topology({{"host", hosts}, {"leaf", leaves}, {"spine", spines}, {"aggregate", uplinks}}, cables);
}

Topology rail(const RailShape& shape, LinkSpeed speed) {
  want(shape.groups, "groups");
  want(shape.nodes_per_group, "nodes_per_group");
  want(shape.gpus_per_node, "gpus_per_node");
  want(shape.spines, "spines");
  want(shape.uplinks_per_spine, "uplinks_per_spine");
  const std::uint32_t leaves = product(shape.groups, shape.gpus_per_node);
  const std::uint32_t hosts = product(leaves, shape.nodes_per_group);
  std::vector<Cable> cables;
  for (NodeId host = 0; host < hosts; ++host) {
    const std::uint32_t group = host / (shape.nodes_per_group * shape.gpus_per_node);
    cables.push_back({host, hosts + group * shape.gpus_per_node + host % shape.gpus_per_node, speed});
  }
  join_all(cables, hosts, leaves, hosts + leaves, shape.spines, shape.uplinks_per_spine, speed);
  return Topology({{"host", hosts}, {"leaf", leaves}, {"spine", shape.spines}}, cables);
}

Topology fat_tree(std::uint32_t ports, LinkSpeed speed) {
  if (ports < 2 || ports % 2 != 0 || ports > 256)
    refuse("a fat tree needs an even number of ports from 2 to 256, got " + std::to_string(ports));
  const std::uint32_t half = ports / 2, leaves = ports * half, cores = half * half;
  std::vector<Cable> cables = hosts_on_leaves(leaves, half, speed);
  const auto hosts = static_cast<NodeId>(cables.size());
  for (std::uint32_t pod = 0; pod < ports; ++pod)
    join_all(cables, hosts + pod * half, half, hosts + leaves + pod * half, half, 1, speed);
  for (std::uint32_t spine = 0; spine < leaves; ++spine)
    join_all(cables, hosts + leaves + spine, 1, hosts + 2 * leaves + spine % half * half, half, 1, speed);
  return Topology({{"host", hosts}, {"leaf", leaves}, {"spine", leaves}, {"core", cores}}, cables);
}

}  // namespace assay::model::fabric
