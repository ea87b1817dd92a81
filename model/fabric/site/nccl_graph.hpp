// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The channels that NCCL chose on a node, as it writes them with NCCL_GRAPH_DUMP_FILE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::model::fabric::site {

struct NcclChannel {
  // Devices as NcclGpu and NcclNic have them.
  std::optional<std::uint64_t> enters_by;  // none within a node
  std::vector<std::uint64_t> gpus;         // in order
};

struct NcclGraph {
  std::uint32_t id = 0;
  std::string pattern;                 // "ring"
  std::string type_intra, type_inter;  // "NVL", "PIX": the farthest path between GPUs, and to adapters
  std::vector<NcclChannel> channels;
};

/// Throws a usage Error with file and line for what is not such a file.
std::vector<NcclGraph> read_nccl_graphs(const std::string& file);
std::vector<NcclGraph> parse_nccl_graphs(const std::string& text, const std::string& file);

}  // namespace assay::model::fabric::site
