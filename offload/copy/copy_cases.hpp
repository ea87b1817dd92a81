// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.copy, offload.cuda.peer_copy, offload.cuda.node_copy: what a host and its GPUs copy to one
// another, one at a time and all at once.
#pragma once

#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

std::vector<core::Case> copy_cases(const Surroundings& around);
std::vector<core::Case> peer_copy_cases(const Surroundings& around);
std::vector<core::Case> node_copy_cases(const Surroundings& around);

/// NUMA node of the GPU at this PCI address; -1 where the machine does not tell.
int nearest_node(const machine::Machine& machine, const std::string& pci_address);

}  // namespace assay::offload
