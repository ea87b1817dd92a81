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

/// PCIe links: NCCL up to 2.30.6 reads what the device could do, so that a link trained narrower is a
/// difference; later versions read what it does now. A speed differs only where NCCL's is above the most of
/// both ends: an idle GPU lowers it. A value that either side does not know is not a difference.
std::vector<ViewDifference> view_differences(const model::fabric::site::NcclNode& nccl,
                                             std::span<const model::fabric::site::NcclGraph> graphs,
                                             const machine::Machine& ours);

struct View {
  model::fabric::site::NcclNode host;
  std::size_t hosts = 1;  // of the file
  std::vector<ViewDifference> differences;
};

/// The view of NCCL's host that differs least from ours; the file does not say which of its hosts this is.
View best_view(std::span<const model::fabric::site::NcclNode> hosts,
               std::span<const model::fabric::site::NcclGraph> graphs, const machine::Machine& ours);

results::Table view_table(const View& view, const machine::Machine& ours);

}  // namespace assay::cli
