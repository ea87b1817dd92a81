// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Layout of blocks: all of them far, and two sets of slots near, behind the inputs: one that the pipeline
// moves through, and one that is never copied to, for computing while the other is. Pure: bytes from where
// each memory begins.
#pragma once

#include <cstdint>

#include "offload/pipeline/block.hpp"
#include "offload/pipeline/lane.hpp"
#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

enum class Slots { moving, quiet };

struct BlockLayout {
  Block block;
  PipelineShape shape;

  std::int64_t far_bytes() const { return shape.blocks * block.slot_bytes(); }
  std::int64_t near_bytes() const { return fetched_at(Slots::quiet, 0) + set_bytes(); }
  /// Bytes of all slots of one kind.
  std::int64_t set_bytes() const { return shape.resident * block.slot_bytes(); }

  std::int64_t fetched_at(Slots slots, int index) const {
    const std::int64_t set = slots == Slots::moving ? 0 : set_bytes();
    return block.shared_bytes + set + index % shape.resident * block.slot_bytes();
  }
  std::int64_t written_at(Slots slots, int index) const {
    return fetched_at(slots, index) + block.fetched_bytes;
  }
  std::int64_t far_fetched_at(int index) const { return index * block.slot_bytes(); }
  std::int64_t far_written_at(int index) const { return far_fetched_at(index) + block.fetched_bytes; }
};

/// Blocks in a far memory and a near one, by their addresses.
struct BlockAddresses {
  BlockLayout layout;
  std::byte *far = nullptr, *near = nullptr;

  Transfer transfer(Direction direction, int block) const {
    if (direction == Direction::in)
      return {far_fetched(block), fetched(Slots::moving, block), layout.block.fetched_bytes};
    return {written(Slots::moving, block), far_written(block), layout.block.written_bytes};
  }
  BlockPlaces places(Slots slots, int block) const {
    return {shared(), fetched(slots, block), written(slots, block)};
  }
  std::byte* shared() const { return near; }
  std::byte* fetched(Slots slots, int block) const { return near + layout.fetched_at(slots, block); }
  std::byte* written(Slots slots, int block) const { return near + layout.written_at(slots, block); }
  std::byte* far_fetched(int block) const { return far + layout.far_fetched_at(block); }
  std::byte* far_written(int block) const { return far + layout.far_written_at(block); }
};

}  // namespace assay::offload
