// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/node_names.hpp"

#include "harness/core/error.hpp"

namespace assay::model::fabric::locate {

NodeNames::NodeNames(const Topology& topology, std::vector<std::string> names,
                     const std::vector<std::pair<std::string, NodeId>>& others)
    : topology_(&topology) {
  for (NodeId node = 0; node < names.size(); ++node) nodes_.emplace(names[node], node);
  for (const auto& [name, node] : others) nodes_.emplace(name, node);
  for (NodeId node = 0; node < topology.nodes(); ++node) nodes_.emplace(topology.name_of(node), node);
  for (NodeId node = 0; node < topology.nodes(); ++node) nodes_.emplace(topology.numbered_name(node), node);
  for (NodeId host = 0; host < topology.hosts(); ++host) nodes_.emplace(std::to_string(host), host);
}

NodeId NodeNames::node(std::string_view name, const std::string& where) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end())
    core::usage_error(where + ": the fabric has no node '" + std::string(name) + "'");
  return found->second;
}

std::optional<NodeId> NodeNames::find_host(std::string_view name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end() || found->second >= topology_->hosts()) return std::nullopt;
  return found->second;
}

std::optional<NodeId> NodeNames::find_port(const std::string& node, const std::string& rail) const {
  const auto host = rail.empty() ? std::nullopt : find_host(node + " " + rail);
  return host ? host : find_host(node);
}

NodeId NodeNames::host(std::string_view name, const std::string& where) const {
  const NodeId node = this->node(name, where);
  if (node >= topology_->hosts())
    core::usage_error(where + ": expected a host, got '" + std::string(name) + "', which is a switch");
  return node;
}

}  // namespace assay::model::fabric::locate
