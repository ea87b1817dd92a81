// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hosts of a site in the order that a fabric file has them, and the names that they have besides their own.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// A machine and its ports, the topology's hosts, by the natural order of their names.
struct SiteMachine {
  std::string name;
  std::vector<NodeId> ports;
};

/// Machines in the natural order of their names.
std::vector<SiteMachine> machines_of(const SiteFabric& site);

/// "node1" where that is a machine's only port, else "node1 rail0": its name in a fabric file.
std::string rail_name(const SiteMachine& machine, std::size_t port);

/// Names of each port: that in a fabric file, and those by its adapter, "node1 mlx5_0" and "node1 mlx5_0/1".
std::vector<std::pair<std::string, NodeId>> other_names(const SiteFabric& site);

/// "16 hosts with 32 ports, 6 switches".
std::string counts_of(const SiteFabric& site);

}  // namespace assay::model::fabric::site
