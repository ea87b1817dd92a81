// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/build_fabric.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

struct Counts {
  double cables = 0, switches = 0, leaves = 0;
};

struct CountParts {
  Counts operator()(const StarShape& one) const { return {1.0 * one.hosts, 1, 1}; }
  Counts operator()(const ZoneShape& one) const {
    const double leaves = one.leaves;
    return {leaves * one.gpus_per_leaf + leaves * one.spines * one.uplinks_per_spine, leaves + one.spines,
            leaves};
  }
  Counts operator()(const DataCentreShape& one) const {
    Counts counts = (*this)(one.zone);
    const double up = std::ceil(1.0 * one.zone.leaves * one.zone.uplinks_per_spine / one.ratio);
    counts.cables = one.zones * (counts.cables + up * one.zone.spines);
    counts.switches = one.zones * counts.switches + up;
    counts.leaves *= one.zones;
    return counts;
  }
  Counts operator()(const RailShape& one) const {
    const double leaves = 1.0 * one.groups * one.gpus_per_node;
    return {leaves * one.nodes_per_group + leaves * one.spines * one.uplinks_per_spine, leaves + one.spines,
            leaves};
  }
  Counts operator()(const FatTreeShape& one) const {
    const double k = one.ports;
    return {3 * k * k * k / 4, 5 * k * k / 4, k * k / 2};
  }
  Counts operator()(const std::vector<NamedCable>& cables) const {
    const auto count = static_cast<double>(cables.size());
    return {count, count, count};
  }
};

struct Build {
  LinkSpeed speed;

  Topology operator()(const StarShape& one) const { return star(one.hosts, speed); }
  Topology operator()(const ZoneShape& one) const { return ai_zone(one, speed); }
  Topology operator()(const DataCentreShape& one) const { return data_centre(one, speed); }
  Topology operator()(const RailShape& one) const { return rail(one, speed); }
  Topology operator()(const FatTreeShape& one) const { return fat_tree(one.ports, speed); }
  Topology operator()(const std::vector<NamedCable>& cables) const { return from_cables(cables); }
};

/// Its complaints open with `where` instead of "fabric".
template <class Work>
auto at(const std::string& where, const Work& work) {
  try {
    return work();
  } catch (const core::Error& error) {
    const std::string what = error.what(), opening = "fabric: ";
    core::usage_error(where + ": " + (what.starts_with(opening) ? what.substr(opening.size()) : what));
  }
}

void fail(Topology& topology, const Fault& fault) {
  if (fault.share) return topology.fail_share(*fault.share, fault.seed);
  if (!fault.node.empty()) return topology.fail_switch(topology.node_named(fault.node));
  topology.fail_cable(topology.link_named(fault.link));
}

void degrade(Topology& topology, const Fault& fault) {
  const auto both = [&](LinkId link) {
    topology.degrade(link, fault.factor);
    topology.degrade(topology.reverse(link), fault.factor);
  };
  if (!fault.link.empty()) return topology.degrade(topology.link_named(fault.link), fault.factor);
  if (fault.share) {
    for (const LinkId link : topology.draw_cables(*fault.share, fault.seed)) both(link);
    return;
  }
  const NodeId node = topology.node_named(fault.node);
  if (node < topology.hosts()) core::usage_error(fault.node + " is not a switch");
  for (LinkId link = topology.first_up(node); link < topology.end_up(node); ++link) both(link);
  for (LinkId link = topology.first_down(node); link < topology.end_down(node); ++link) both(link);
}

std::uint32_t ports_of(const Topology& topology, NodeId node) {
  return topology.end_up(node) - topology.first_up(node) + topology.end_down(node) -
         topology.first_down(node);
}

void refuse_wrong_switches(const FabricFile& fabric, const Topology& topology) {
  const SwitchBuffers& buffers = fabric.switches;
  const double port = buffers.pause_above_bytes + buffers.headroom_bytes.value_or(0);
  for (NodeId node = topology.hosts(); node < topology.nodes(); ++node) {
    const std::uint32_t ports = ports_of(topology, node);
    if (fabric.radix && ports > *fabric.radix)
      core::usage_error(fmt::format("{}: radix: {} has {} ports, expected at most {}", fabric.file,
                                    topology.name_of(node), ports, *fabric.radix));
    if (buffers.kind == BufferKind::fixed && buffers.memory_bytes && ports * port > *buffers.memory_bytes)
      core::usage_error(
          fmt::format("{}: switch.memory: the {} ports of {} need {} bytes each up to xoff and headroom "
                      "above it, expected "
                      "at least {} bytes",
                      fabric.file, ports, topology.name_of(node), port, ports * port));
  }
}

}  // namespace

double memory_needed_bytes(const FabricShape& shape) {
  const Counts counts = std::visit(CountParts{}, shape);
  constexpr double of_cable = 128, of_switch_and_leaf = 4, of_leaves = 8;  // bytes
  return of_cable * counts.cables + of_switch_and_leaf * counts.switches * counts.leaves +
         of_leaves * counts.leaves * counts.leaves;
}

Topology topology_of(const FabricFile& fabric) {
  if (const double bytes = memory_needed_bytes(fabric.shape); bytes > most_memory_bytes)
    core::usage_error(
        fmt::format("{}: preset: this fabric needs {:.1f} GiB, expected at most {:.0f} GiB: lower the number "
                    "of leaves, spines or ports",
                    fabric.file, bytes / (1U << 30U), most_memory_bytes / (1U << 30U)));
  Topology topology =
      at(fabric.file + ": " + fabric.preset, [&] { return std::visit(Build{fabric.link}, fabric.shape); });
  refuse_wrong_switches(fabric, topology);
  for (const Fault& fault : fabric.degraded) at(fault.where, [&] { degrade(topology, fault); });
  for (const Fault& fault : fabric.failed) at(fault.where, [&] { fail(topology, fault); });
  return topology;
}

double pause_above_bytes(const FabricFile& fabric, const Topology& topology, NodeId node) {
  const SwitchBuffers& buffers = fabric.switches;
  if (buffers.kind == BufferKind::voq) return std::numeric_limits<double>::infinity();
  if (buffers.kind == BufferKind::fixed) return buffers.pause_above_bytes;
  return buffers.alpha * *buffers.memory_bytes / (1 + buffers.alpha * ports_of(topology, node));
}

std::vector<double> capacities_of(const FabricFile& fabric, const Topology& topology) {
  return fabric.routing.kind == RoutingKind::adaptive ? sprayed_capacities(topology, fabric.spray_efficiency)
                                                      : topology.capacities();
}

}  // namespace assay::model::fabric
