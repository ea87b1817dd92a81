// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The commands by which a site's launcher starts a program on many nodes, once on each, and a command that
// runs in a group of nodes.
#pragma once

#include <string>
#include <vector>

#include "harness/front/campaign/nodes/groups.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::campaign {

/// `program` with its words, once on each of these nodes. One command, or one a node where there is no
/// launcher.
std::vector<std::vector<std::string>> on_each_node(const suite::Launcher& launcher,
                                                   const std::vector<std::string>& nodes,
                                                   const std::vector<std::string>& program);

/// The flags by which `assay run` starts its ranks on exactly these nodes.
std::vector<std::string> run_flags_of(const suite::Launcher& launcher, const Group& group,
                                      int ranks_per_node);

}  // namespace assay::campaign
