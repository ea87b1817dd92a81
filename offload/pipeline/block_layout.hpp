// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Where blocks lie: all of them far, and two sets of slots near, behind the inputs: one that the pipeline
// moves through, and one that is never copied to, for computing while the other is. Pure: bytes from where
// each memory begins.
#pragma once

#include <cstdint>

#include "offload/pipeline/block.hpp"
#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

enum class Slots { moving, quiet };

struct BlockLayout {
  Block block;
  PipelineShape shape;

  std::int64_t far_bytes() const { return shape.blocks * block.slot_bytes(); }
  std::int64_t near_bytes() const { return weights_at(Slots::quiet, 0) + set_bytes(); }
  /// Of all slots of one kind.
  std::int64_t set_bytes() const { return shape.resident * block.slot_bytes(); }

  std::int64_t weights_at(Slots slots, int index) const {
    const std::int64_t set = slots == Slots::moving ? 0 : set_bytes();
    return block.input_bytes + set + index % shape.resident * block.slot_bytes();
  }
  std::int64_t activations_at(Slots slots, int index) const {
    return weights_at(slots, index) + block.weight_bytes;
  }
  std::int64_t far_weights_at(int index) const { return index * block.slot_bytes(); }
  std::int64_t far_activations_at(int index) const { return far_weights_at(index) + block.weight_bytes; }
};

}  // namespace assay::offload
