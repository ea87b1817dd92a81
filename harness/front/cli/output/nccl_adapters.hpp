// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ports of this node that NCCL's adapters are.
#pragma once

#include <vector>

#include "harness/machine/machine.hpp"
#include "model/fabric/site/nccl_topology.hpp"

namespace assay::cli {

/// One port, or those that NCCL joined ("mlx5_0+mlx5_1"); none where one of them is not ours. NCCL adds to
/// the number of a port how many ports of the same card it met before; "mlx5_0_dma" is mlx5_0 by its second
/// path, data direct (NCCL 2.30.7, src/transport/net_ib/init.cc).
std::vector<const machine::Hca*> ports_of(const model::fabric::site::NcclNic& nic,
                                          const machine::Machine& ours);

/// False of data direct, whose PCIe function sysfs does not name.
bool place_is_known(const model::fabric::site::NcclNic& nic, const machine::Machine& ours);

}  // namespace assay::cli
