// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's topology.conf (topology/tree and topology/block), topology.yaml, and scontrol show topology.
#pragma once

#include <string>

#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// A node is one host, one below several leaves a host with a port at each. The file has neither numbers nor
/// speeds of cables: a switch is joined with each one above it by one cable as fast as all its hosts
/// together, so that only what is measured limits it; where it is more than one level below, through switches
/// that limit nothing. A block is a leaf. Throws a usage Error with file and line for what is not such a
/// line, a switch that is not there or has two lines, and nodes next to switches that are not below these.
SiteFabric read_slurm_topology(const std::string& file, LinkSpeed speed = {});

/// `text`: what core::read_slurm_file(file) gave.
SiteFabric parse_slurm_topology(const std::string& text, const std::string& file, LinkSpeed speed = {});

}  // namespace assay::model::fabric::site
