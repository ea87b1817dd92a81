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
  std::uint64_t device = 0;  // as graphs call it: of a later host, with its place in the top byte
  std::optional<bool> gpudirect = {};
};

struct NcclGpu {
  std::uint64_t device = 0;  // likewise
  std::string bus_id = {};
  /// The adapters with most tree elements in common with it, by their numbers in the file.
  std::vector<std::size_t> nearest = {};
  /// Elements between the GPU's PCIe function and the first that it shares with them: 1 below one bridge.
  std::uint32_t distance = 0;
  std::uint32_t nvlinks = 0;
  // The most that its PCIe function can do; since NCCL 2.30.7 what it does now. 0: unknown
  double link_gt_per_s = 0;
  std::uint32_t link_width = 0;  // 0: unknown
  std::optional<std::uint32_t> numa = {};
};

struct NcclNode {
  std::string host_hash = {};  // "0x1f2e"; empty: not stated
  std::vector<NcclGpu> gpus;   // by rising device
  std::vector<NcclNic> nics;
};

/// Every host of the file that has GPUs, one at least: a dump of an NVLink domain has several. Throws a usage
/// Error with file and line for what is not such a file, and for one without a GPU.
std::vector<NcclNode> read_nccl_topology(const std::string& file);
std::vector<NcclNode> parse_nccl_topology(const std::string& text, const std::string& file);

}  // namespace assay::model::fabric::site
