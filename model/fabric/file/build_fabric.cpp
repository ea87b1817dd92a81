// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/build_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "harness/core/error.hpp"
#include "model/fabric/file/fabric_sections.hpp"
#include "model/fabric/sharing/window.hpp"

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
    std::set<std::string_view> switches, leaves;
    for (const NamedCable& cable : cables) {
      switches.insert(cable.upper);
      if (cable.lower.starts_with("host"))
        leaves.insert(cable.upper);
      else
        switches.insert(cable.lower);
    }
    return {static_cast<double>(cables.size()), static_cast<double>(switches.size()),
            static_cast<double>(leaves.size())};
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

/// The cables below the switches of this kind, or of every kind where it is empty: by their links down. False
/// where there are no such switches.
template <class See>
bool each_cable_below(const Topology& topology, const std::string& kind, const See& see) {
  bool known = false;
  for (std::size_t tier = 1; tier < topology.tiers(); ++tier) {
    if (!kind.empty() && topology.kind_of_tier(tier) != kind) continue;
    known = true;
    for (NodeId node = topology.first_of_tier(tier); node < topology.first_of_tier(tier + 1); ++node)
      for (LinkId link = topology.first_down(node); link < topology.end_down(node); ++link) see(link);
  }
  return known;
}

/// `line`: of each link, what its line rate leaves. A share of 1 is none that was measured.
void measure(Topology& topology, const std::vector<double>& line, const MeasuredPorts& ports) {
  const auto set = [&](LinkId link) {
    const bool has_goodput = ports.goodput_share != 1;
    topology.set_cable(link, has_goodput ? std::optional(line[link] * ports.goodput_share) : std::nullopt,
                       ports.hop_latency_us);
  };
  if (!each_cable_below(topology, ports.tier, set))
    core::usage_error(fmt::format("no cable is below a switch {}: expected one of {}", ports.tier,
                                  fmt::join(topology.kinds_of_switches(), ", ")));
}

/// Applies what was measured: a value of one tier replaces that of all cables.
void measure_all(Topology& topology, const std::vector<MeasuredPorts>& measured) {
  const std::vector<double> line = topology.capacities();
  for (const bool of_tiers : {false, true})
    for (const MeasuredPorts& ports : measured)
      if (ports.tier.empty() != of_tiers) at(ports.where, [&] { measure(topology, line, ports); });
}

std::uint32_t ports_of(const Topology& topology, NodeId node) {
  return topology.end_up(node) - topology.first_up(node) + topology.end_down(node) -
         topology.first_down(node);
}

/// Its key.
std::string memory_key(const FabricFile& fabric, const SwitchBuffers& buffers) {
  for (const TierSettings& tier : fabric.tiers)
    if (&tier.switches == &buffers) return tier.where + ".memory";
  return fabric.file + ": switch.memory";
}

const SwitchBuffers& buffers_of(const FabricFile& fabric, const Topology& topology, NodeId node) {
  if (fabric.tiers.empty()) return fabric.switches;
  const auto tier =
      std::ranges::find(fabric.tiers, topology.kind_of_tier(topology.tier_of(node)), &TierSettings::name);
  return tier == fabric.tiers.end() ? fabric.switches : tier->switches;
}

/// Links below the tier, both ways.
void set_speeds(Topology& topology, const TierSettings& settings) {
  std::optional<double> bytes_per_us;
  if (settings.gbit_per_s) bytes_per_us = LinkSpeed{.gbit_per_s = *settings.gbit_per_s}.goodput();
  if (!each_cable_below(topology, settings.name, [&](LinkId link) {
        topology.set_cable(link, bytes_per_us, settings.hop_latency_us);
      }))
    core::usage_error(fmt::format("{}: there are no such switches: expected {}", settings.where,
                                  fmt::join(topology.kinds_of_switches(), ", ")));
}

void refuse_wrong_switches(const FabricFile& fabric, const Topology& topology) {
  for (NodeId node = topology.hosts(); node < topology.nodes(); ++node) {
    const SwitchBuffers& buffers = buffers_of(fabric, topology, node);
    const double port = buffers.pause_above_bytes + buffers.headroom_bytes.value_or(0);
    const std::uint32_t ports = ports_of(topology, node);
    if (fabric.radix && ports > *fabric.radix)
      core::usage_error(fmt::format("{}: radix: {} has {} ports, expected at most {}", fabric.file,
                                    topology.name_of(node), ports, *fabric.radix));
    if (buffers.kind == BufferKind::fixed && buffers.memory_bytes && ports * port > *buffers.memory_bytes)
      core::usage_error(
          fmt::format("{}: the {} ports of {} need {} bytes each up to xoff and headroom "
                      "above it, expected "
                      "at least {} bytes",
                      memory_key(fabric, buffers), ports, topology.name_of(node), port, ports * port));
  }
}

}  // namespace

double memory_needed_bytes(const FabricShape& shape) {
  const Counts counts = std::visit(CountParts{}, shape);
  constexpr double of_cable = 128, of_switch_and_leaf = 4, of_leaves = 8;  // bytes
  return of_cable * counts.cables + of_switch_and_leaf * counts.switches * counts.leaves +
         of_leaves * counts.leaves * counts.leaves;
}

namespace {

std::vector<std::string> host_names(const FabricFile& fabric, const Topology& topology) {
  if (fabric.nodes.empty()) return {};
  const std::uint32_t each = hosts_per_machine(fabric);
  std::vector<std::string> names;
  for (NodeId host = 0; host < topology.hosts(); ++host) {
    const std::string& server = fabric.nodes[host / each];
    names.push_back(each == 1 ? server : fmt::format("{} rail{}", server, host % each));
  }
  return names;
}

}  // namespace

Topology topology_of(const FabricFile& fabric) {
  if (const double bytes = memory_needed_bytes(fabric.shape); bytes > most_memory_bytes)
    core::usage_error(
        fmt::format("{}: preset: this fabric needs {:.1f} GiB, expected at most {:.0f} GiB: lower the number "
                    "of leaves, spines or ports",
                    fabric.file, bytes / (1U << 30U), most_memory_bytes / (1U << 30U)));
  Topology topology =
      at(fabric.file + ": " + fabric.preset, [&] { return std::visit(Build{fabric.link}, fabric.shape); });
  topology.name_hosts(host_names(fabric, topology));
  for (const TierSettings& tier : fabric.tiers) set_speeds(topology, tier);
  refuse_wrong_switches(fabric, topology);
  measure_all(topology, fabric.measured);
  for (const Fault& fault : fabric.degraded) at(fault.where, [&] { degrade(topology, fault); });
  for (const Fault& fault : fabric.failed) at(fault.where, [&] { fail(topology, fault); });
  return topology;
}

std::uint32_t hosts_per_machine(const FabricFile& fabric) {
  return fabric.nodes.size() == gpus_of(fabric.shape) ? 1 : fabric.server.gpus;
}

double pause_above_bytes(const FabricFile& fabric, const Topology& topology, NodeId node) {
  const SwitchBuffers& buffers = buffers_of(fabric, topology, node);
  if (buffers.kind == BufferKind::voq) return std::numeric_limits<double>::infinity();
  if (buffers.kind == BufferKind::fixed) return buffers.pause_above_bytes;
  const std::vector<double> congested(ports_of(topology, node), *buffers.memory_bytes);
  return shared_threshold(buffers.alpha, *buffers.memory_bytes, congested);
}

std::vector<double> capacities_of(const FabricFile& fabric, const Topology& topology) {
  return fabric.routing.kind == RoutingKind::adaptive ? sprayed_capacities(topology, fabric.spray_efficiency)
                                                      : topology.capacities();
}

}  // namespace assay::model::fabric
