// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes Chakra traces, byte by byte, without the library that reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::model::workload {

struct WrittenNode {
  std::uint64_t id = 0;
  int type = 4;  // COMP_NODE
  std::vector<std::uint64_t> data_deps = {}, ctrl_deps = {};
  std::uint64_t duration_us = 0;
  int comm_type = -1;  // -1: none
  std::optional<std::uint64_t> comm_size = {};
  std::string group = {};
  bool cpu = false;
  std::optional<int> peer = {};  // comm_dst of a send, else comm_src
  std::string name = "node", input_values = {};
};

inline constexpr int sends = 5, receives = 6, collective = 7;  // node types
inline constexpr int metadata_node = 1;

/// As Chakra's converter prints PyTorch's process groups, each with a name and a list of ranks.
WrittenNode written_groups(std::uint64_t id, const std::vector<std::pair<std::string, std::string>>& groups);

/// GlobalMetadata and the nodes, each behind its length.
std::string trace_bytes(const std::vector<WrittenNode>& nodes);

}  // namespace assay::model::workload
