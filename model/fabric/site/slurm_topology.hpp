// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's topology.conf of the plugin topology/tree (topology.conf(5)): SwitchName with Nodes or Switches.
#pragma once

#include <string>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// A node is one host. The file has neither numbers nor speeds of cables: a switch is joined with the one
/// above it by one cable as fast as all its hosts together, so that only what is measured limits it. Throws a
/// usage Error with file and line for what is not such a line, a switch that is not there or has two places,
/// and switches with both nodes and switches below them.
SiteFabric read_slurm_topology(const std::string& file, LinkSpeed speed = {});
SiteFabric parse_slurm_topology(const std::string& text, const std::string& file, LinkSpeed speed = {});

}  // namespace assay::model::fabric::site
