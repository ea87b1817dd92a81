// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node's topology as NCCL writes it with NCCL_TOPO_DUMP_FILE: GPUs and network adapters in the tree of
// PCIe bridges, below processors, below the system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::model::fabric::site {

struct NcclNic {
  std::string name;  // "mlx5_0"
  std::uint32_t port = 1;
  double gbit_per_s = 0;     // 0: unknown
  std::uint32_t device = 0;  // as graphs call it
  std::optional<bool> gpudirect = {};
};

struct NcclGpu {
  std::uint32_t device = 0;
  std::string bus_id = {};
  /// The adapters with most tree elements in common with it, by their numbers in the file.
  std::vector<std::size_t> nearest = {};
  /// Elements between the GPU's PCIe function and the first that it shares with them: 1 below one bridge.
  std::uint32_t distance = 0;
  std::uint32_t nvlinks = 0;
  double link_gt_per_s = 0;      // of its PCIe function, the most that it can do; 0: unknown
  std::uint32_t link_width = 0;  // 0: unknown
  std::optional<std::uint32_t> numa = {};
};

struct NcclNode {
  std::vector<NcclGpu> gpus;  // by rising device
  std::vector<NcclNic> nics;
};

/// Throws a usage Error with file and line for what is not such a file, and for one without a GPU.
NcclNode read_nccl_topology(const std::string& file);
NcclNode parse_nccl_topology(const std::string& text, const std::string& file);

}  // namespace assay::model::fabric::site
