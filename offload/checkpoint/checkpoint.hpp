// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Shards in a folder without more: what their writing and reading takes is measured on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "offload/checkpoint/storage/shard_io.hpp"

namespace assay::offload {

struct CheckpointSettings {
  std::filesystem::path folder;
  ShardSettings shards = {};
};

/// Bytes of the whole checkpoint that a point asks for. Throws a usage Error naming axis and value.
std::int64_t checkpoint_bytes(const core::Point& point);

/// Throws a usage Error naming axis and value, also where that many shards cannot be cut of that many bytes.
CheckpointSettings checkpoint_settings(const std::filesystem::path& folder, const core::Point& point);

/// A checkpoint whose shards lie in settings.folder while it lives; removes them at its end.
class Checkpoint {
 public:
  /// Throws core::Error: usage for invalid settings, system where the folder cannot hold `bytes`.
  Checkpoint(const CheckpointSettings& settings, std::int64_t bytes);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  std::vector<ShardTimes> write(std::span<const std::byte> state) { return io_.write(shards_, state); }
  std::vector<ShardTimes> read(std::span<std::byte> state) { return io_.read(shards_, state); }
  /// With the checksums of the last write.
  const std::vector<Shard>& shards() const { return shards_; }

 private:
  std::vector<Shard> shards_;
  ShardIo io_;
};

}  // namespace assay::offload
