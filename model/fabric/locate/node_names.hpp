// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Nodes by the names that a site gives them, or by those of the topology.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric::locate {

class NodeNames {
 public:
  /// `names`: of every node, or empty for those of the topology, which must outlive it. `others`: what else
  /// nodes are called, where no node has that name.
  explicit NodeNames(const Topology& topology, std::vector<std::string> names = {},
                     const std::vector<std::pair<std::string, NodeId>>& others = {});

  /// The topology's own names are known as well, and a host's number. Throws a usage Error that opens with
  /// `where` for a name that no node has.
  NodeId node(std::string_view name, const std::string& where) const;
  NodeId host(std::string_view name, const std::string& where) const;
  /// Nothing where no host is named so.
  std::optional<NodeId> find_host(std::string_view name) const;
  /// The host "NODE RAIL", or "NODE" where no host has that name. `rail`: "rail3", or empty.
  std::optional<NodeId> find_port(const std::string& node, const std::string& rail) const;

 private:
  const Topology* topology_;
  std::map<std::string, NodeId, std::less<>> nodes_;
};

}  // namespace assay::model::fabric::locate
