// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The nodes of a campaign, by name, as the engine or a file lists them.
#pragma once

#include <string>
#include <vector>

#include "harness/front/suite/processes/launcher.hpp"

namespace assay::campaign {

/// Names of nodes from a list or a file (a name a line, further words and '#' ignored), else from the Slurm
/// allocation, else this host. Throws a usage Error with one line: no nodes, a name twice, a name that cannot
/// be a folder's.
std::vector<std::string> nodes_of(const suite::Launcher& launcher, const std::string& list,
                                  const std::string& host_file, const std::string& this_host);

/// The name by which the engine knows the node of this process, else its host name.
std::string name_of_this_node();

/// This host's name; the pretended one's on a pretended node.
std::string name_of_this_host();

/// True where both name one host: equal, or equal up to the domain of either.
bool is_same_host(const std::string& one, const std::string& other);

}  // namespace assay::campaign
