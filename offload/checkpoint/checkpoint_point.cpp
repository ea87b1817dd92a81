// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_point.hpp"

#include "offload/point_axes.hpp"

namespace assay::offload {

CheckpointSettings checkpoint_settings(const RoomSettings& room, const core::Point& point) {
  constexpr std::int64_t most_depth = 4096, most_block = 1 << 30;
  return {.folder = room.checkpoint_folder,
          .shards = {.shards = static_cast<int>(within(point, "shards", 1, 256)),
                     .direct = within(point, "direct", 0, 1) == 1,
                     .checksums = point.text("checksum") == "xxh3",
                     .ring = {.block_bytes = within(point, "block", direct_alignment, most_block),
                              .depth = static_cast<unsigned>(within(point, "depth", 1, most_depth))}}};
}

}  // namespace assay::offload
