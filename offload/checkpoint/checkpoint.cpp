// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace assay::offload {

Checkpoint::Checkpoint(const CheckpointSettings& settings, std::int64_t bytes)
    : shards_(cut_into_shards(settings.shards, bytes)), io_(settings.shards) {
  check_space(settings.folder, bytes);
  for (std::size_t shard = 0; shard < shards_.size(); ++shard)
    shards_[shard].path = settings.folder / fmt::format("assay-checkpoint-{}-{}.shard", getpid(), shard);
}

Checkpoint::~Checkpoint() {
  std::error_code nobody_asks;
  for (const Shard& shard : shards_) std::filesystem::remove(shard.path, nobody_asks);
}

}  // namespace assay::offload
