// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Where blocks lie: all of them far, and two sets of slots near: one that the pipeline moves through, and one
// that is never copied to, for computing while the other is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/host/arena.hpp"
#include "offload/pipeline/block.hpp"
#include "offload/pipeline/copier.hpp"
#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

enum class Slots { moving, quiet };

/// Bytes that a pipeline needs, before anything is allocated.
std::int64_t far_bytes(const Block& block, const PipelineShape& shape);
std::int64_t near_bytes(const Block& block, const PipelineShape& shape);

class BlockMemory {
 public:
  /// Node -1: where the calling thread runs. Every block has its own weights, inputs are shared. Throws
  /// core::Error.
  BlockMemory(const Block& block, const PipelineShape& shape, workload::Dtype dtype, int far_node,
              int near_node);

  Transfer transfer(Direction direction, int block) const;
  std::byte* input() const { return near_.data(); }
  std::byte* weights(Slots slots, int block) const;
  std::byte* activations(Slots slots, int block) const { return weights(slots, block) + block_.weight_bytes; }
  std::byte* far_weights(int block) const { return far_.data() + block * block_.slot_bytes(); }
  std::byte* far_activations(int block) const { return far_weights(block) + block_.weight_bytes; }

  /// What was never written back is found: all ones are NaN in every float type.
  void spoil_far_activations();

  std::int64_t huge_page_bytes() const { return far_.huge_page_bytes() + near_.huge_page_bytes(); }

 private:
  Block block_;
  PipelineShape shape_;
  host::Arena far_, near_;
};

}  // namespace assay::offload
