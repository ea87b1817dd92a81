// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/core/error.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

std::int64_t checkpoint_bytes(const core::Point& point) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
  const std::int64_t bytes = within(point, "bytes", direct_alignment, most_bytes);
  if (bytes % direct_alignment != 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of {}", bytes, direct_alignment));
  return bytes;
}

CheckpointSettings checkpoint_settings(const std::filesystem::path& folder, const core::Point& point) {
  constexpr std::int64_t most_depth = 4096, most_block = 1 << 30;
  CheckpointSettings settings{
      .folder = folder,
      .shards = {.shards = static_cast<int>(within(point, "shards", 1, 256)),
                 .direct = within(point, "direct", 0, 1) == 1,
                 .checksums = point.text("checksum") == "xxh3",
                 .ring = {.block_bytes = within(point, "block", direct_alignment, most_block),
                          .depth = static_cast<unsigned>(within(point, "depth", 1, most_depth))}}};
  static_cast<void>(cut_into_shards(settings.shards, checkpoint_bytes(point)));
  return settings;
}

Checkpoint::Checkpoint(const CheckpointSettings& settings, std::int64_t bytes)
    : shards_(cut_into_shards(settings.shards, bytes)), io_(settings.shards) {
  check_space(settings.folder, bytes);
  for (std::size_t shard = 0; shard < shards_.size(); ++shard)
    shards_[shard].path = settings.folder / fmt::format("assay-checkpoint-{}-{}.shard", getpid(), shard);
}

Checkpoint::~Checkpoint() {
  std::error_code ignored;
  for (const Shard& shard : shards_) std::filesystem::remove(shard.path, ignored);
}

}  // namespace assay::offload
