// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Blocks in two arenas of a host, laid out as BlockLayout says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/host/arena.hpp"
#include "offload/pipeline/block_layout.hpp"
#include "offload/pipeline/lane.hpp"

namespace assay::offload {

class BlockMemory {
 public:
  /// Node -1: where the calling thread runs. Every block is fetched with numbers
  /// of its own. Throws core::Error.
  BlockMemory(const BlockLayout& layout, workload::Dtype dtype, int far_node, int near_node);

  Transfer transfer(Direction direction, int block) const;
  BlockPlaces places(Slots slots, int block) const {
    return {shared(), fetched(slots, block), written(slots, block)};
  }
  std::byte* shared() const { return near_.data(); }
  std::byte* fetched(Slots slots, int block) const { return near_.data() + layout_.fetched_at(slots, block); }
  std::byte* written(Slots slots, int block) const { return near_.data() + layout_.written_at(slots, block); }
  std::byte* far_fetched(int block) const { return far_.data() + layout_.far_fetched_at(block); }
  std::byte* far_written(int block) const { return far_.data() + layout_.far_written_at(block); }

  /// What was never written back is found: all ones are NaN in every float type.
  void spoil_far_written();

  std::int64_t huge_page_bytes() const { return far_.huge_page_bytes() + near_.huge_page_bytes(); }

 private:
  BlockLayout layout_;
  host::Arena far_, near_;
};

}  // namespace assay::offload
