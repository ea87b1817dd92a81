// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Elements that may be slow as one: a link (one direction of a cable, hence an egress port), a cable, a
// switch, a host with its adapter, a machine with several hosts. Each is a set of links.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric::locate {

enum class ElementKind { link, cable, host, node_switch, machine };
std::string_view to_string(ElementKind kind);  // "link", "cable", "host", "switch", "machine"

using ElementId = std::uint32_t;

class Elements {
 public:
  /// `hosts_per_machine`: hosts in a row that are ports of one machine; below 2, there are no machines.
  /// `names`: of nodes, or empty for those of the topology, which must outlive it.
  explicit Elements(const Topology& topology, std::uint32_t hosts_per_machine = 0,
                    std::vector<std::string> names = {});

  std::uint32_t size() const { return machines_ + machine_count_; }
  ElementKind kind(ElementId element) const;
  /// "leaf3>spine7", "leaf3-spine7", "spine7", "machine2 (host16 to host23)"; of parallel cables with " #2".
  std::string name(ElementId element) const;
  std::vector<LinkId> links(ElementId element) const;
  /// Every element that a link is part of: the link, its cable, its ends, and the machine of an end.
  std::vector<ElementId> of_link(LinkId link) const;

  ElementId of_cable(LinkId link) const;
  ElementId of_node(NodeId node) const { return nodes_ + node; }
  std::string name_of_node(NodeId node) const;
  const Topology& topology() const { return *topology_; }

 private:
  LinkId up_link(ElementId cable) const { return cable - cables_; }
  std::string name_of_ends(LinkId link, std::string_view between) const;

  const Topology* topology_;
  std::uint32_t hosts_per_machine_;
  std::vector<std::string> names_;
  // Links have the numbers of their links, cables follow, each by its link up, then nodes, then machines.
  ElementId cables_, nodes_, machines_;
  std::uint32_t machine_count_;
};

}  // namespace assay::model::fabric::locate
