// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/paths/elements.hpp"

#include <algorithm>
#include <utility>

#include "harness/core/words.hpp"

namespace assay::model::fabric::locate {

std::string_view to_string(ElementKind kind) {
  return core::words_of<ElementKind>("link", "cable", "host", "switch", "machine").of(kind);
}

/// The first half of all links are those up, one for each cable.
Elements::Elements(const Topology& topology, std::uint32_t hosts_per_machine, std::vector<std::string> names)
    : topology_(&topology),
      hosts_per_machine_(hosts_per_machine),
      names_(std::move(names)),
      cables_(topology.links()),
      nodes_(cables_ + topology.links() / 2),
      machines_(nodes_ + topology.nodes()),
      machine_count_(hosts_per_machine < 2 ? 0
                                           : (topology.hosts() + hosts_per_machine - 1) / hosts_per_machine) {
}

ElementKind Elements::kind(ElementId element) const {
  if (element < cables_) return ElementKind::link;
  if (element < nodes_) return ElementKind::cable;
  if (element >= machines_) return ElementKind::machine;
  return element - nodes_ < topology_->hosts() ? ElementKind::host : ElementKind::node_switch;
}

std::string Elements::name_of_node(NodeId node) const {
  return names_.empty() ? topology_->name_of(node) : names_[node];
}

/// Parallel cables are next to each other.
std::string Elements::name_of_ends(LinkId link, std::string_view between) const {
  const NodeId from = topology_->from(link), to = topology_->to(link);
  const auto same = [&](LinkId other) {
    return other < topology_->links() && topology_->from(other) == from && topology_->to(other) == to;
  };
  LinkId first = link;
  while (first > 0 && same(first - 1)) --first;
  std::string name = name_of_node(from) + std::string(between) + name_of_node(to);
  if (first != link || same(link + 1)) name += " #" + std::to_string(link - first + 1);
  return name;
}

std::string Elements::name(ElementId element) const {
  switch (kind(element)) {
    case ElementKind::link:
      return name_of_ends(element, ">");
    case ElementKind::cable:
      return name_of_ends(up_link(element), "-");
    case ElementKind::host:
    case ElementKind::node_switch:
      return name_of_node(element - nodes_);
    case ElementKind::machine:
      break;
  }
  const std::uint32_t machine = element - machines_, first = machine * hosts_per_machine_;
  const std::uint32_t last = std::min(first + hosts_per_machine_, topology_->hosts()) - 1;
  return "machine" + std::to_string(machine) + " (" + name_of_node(first) + " to " + name_of_node(last) + ")";
}

std::vector<LinkId> Elements::links(ElementId element) const {
  std::vector<LinkId> links;
  const auto add_node = [&](NodeId node) {
    for (LinkId up = topology_->first_up(node); up < topology_->end_up(node); ++up)
      links.insert(links.end(), {up, topology_->reverse(up)});
    if (node < topology_->hosts()) return;
    for (LinkId down = topology_->first_down(node); down < topology_->end_down(node); ++down)
      links.insert(links.end(), {down, topology_->reverse(down)});
  };
  if (element < cables_) {
    links = {element};
  } else if (element < nodes_) {
    links = {up_link(element), topology_->reverse(up_link(element))};
  } else if (element < machines_) {
    add_node(element - nodes_);
  } else {
    const std::uint32_t first = (element - machines_) * hosts_per_machine_;
    const std::uint32_t end = std::min(first + hosts_per_machine_, topology_->hosts());
    for (NodeId host = first; host < end; ++host) add_node(host);
  }
  return links;
}

ElementId Elements::of_cable(LinkId link) const { return cables_ + std::min(link, topology_->reverse(link)); }

std::vector<ElementId> Elements::of_link(LinkId link) const {
  std::vector<ElementId> elements = {link, of_cable(link)};
  for (const NodeId end : {topology_->from(link), topology_->to(link)}) {
    elements.push_back(of_node(end));
    if (machine_count_ > 0 && end < topology_->hosts())
      elements.push_back(machines_ + end / hosts_per_machine_);
  }
  return elements;
}

}  // namespace assay::model::fabric::locate
