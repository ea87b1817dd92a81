// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Blocks in two arenas of a host, laid out as BlockLayout says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/host/arena.hpp"
#include "offload/pipeline/block_layout.hpp"

namespace assay::offload {

class BlockMemory : public BlockAddresses {
 public:
  /// Node -1: where the calling thread runs. Every block is fetched with numbers
  /// of its own. Throws core::Error.
  BlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node, int near_node);

  /// What was never written back is found: all ones are NaN in every float type.
  void spoil_far_written();

  std::int64_t huge_page_bytes() const { return far_.huge_page_bytes() + near_.huge_page_bytes(); }

 private:
  host::Arena far_, near_;
};

}  // namespace assay::offload
