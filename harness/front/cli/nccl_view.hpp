// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A node's topology as NCCL dumped it, compared with what assay reads of the same node.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "model/fabric/site/nccl_graph.hpp"
#include "model/fabric/site/nccl_topology.hpp"
#include "results/table/table.hpp"

namespace assay::cli {

struct ViewDifference {
  std::string of, what;    // "GPU 0000:1b:00.0", "PCIe width"
  std::string nccl, ours;  // "x16", "x8"
};

/// PCIe links: NCCL reads what the device could do, so that a link trained narrower is a difference. Speed is
/// compared with the most of both ends: an idle GPU lowers it. What either side does not know is none.
std::vector<ViewDifference> view_differences(const model::fabric::site::NcclNode& nccl,
                                             std::span<const model::fabric::site::NcclGraph> graphs,
                                             const machine::Machine& ours);

results::Table view_table(const model::fabric::site::NcclNode& nccl, const machine::Machine& ours,
                          const std::vector<ViewDifference>& differences);

}  // namespace assay::cli
