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
  /// Node -1: where the calling thread runs. Every block has its own weights, inputs are shared. Throws
  /// core::Error.
  BlockMemory(const BlockLayout& layout, workload::Dtype dtype, int far_node, int near_node);

  Transfer transfer(Direction direction, int block) const;
  std::byte* input() const { return near_.data(); }
  std::byte* weights(Slots slots, int block) const { return near_.data() + layout_.weights_at(slots, block); }
  std::byte* activations(Slots slots, int block) const {
    return near_.data() + layout_.activations_at(slots, block);
  }
  std::byte* far_weights(int block) const { return far_.data() + layout_.far_weights_at(block); }
  std::byte* far_activations(int block) const { return far_.data() + layout_.far_activations_at(block); }

  /// What was never written back is found: all ones are NaN in every float type.
  void spoil_far_activations();

  std::int64_t huge_page_bytes() const { return far_.huge_page_bytes() + near_.huge_page_bytes(); }

 private:
  BlockLayout layout_;
  host::Arena far_, near_;
};

}  // namespace assay::offload
