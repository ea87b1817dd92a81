// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint: the state of a training job as shards, each a file with its checksum beside it, written and
// read at once by a thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "offload/checkpoint/storage_ring.hpp"

namespace assay::offload {

struct CheckpointSettings {
  std::filesystem::path folder;
  int shards = 1;
  bool direct = true;     // past the page cache, where the file system can
  bool checksums = true;  // XXH3, 64 bits, of every block as it is written or read
  StorageRing::Settings ring = {};
};

/// What one shard took. Seconds of its thread: the slowest shard is what a job waits for.
struct ShardTimes {
  double transfer_s = 0;  // checksums and io_uring
  double sync_s = 0;      // fdatasync; 0 when reading
  bool direct = false;    // what the file system gave
};

/// Whose shards lie in settings.folder while it lives; removes them at its end.
class Checkpoint {
 public:
  /// `bytes` of state, cut into shards of whole blocks of direct_alignment. Throws core::Error: usage for
  /// settings that are none, system where the folder cannot hold it.
  Checkpoint(CheckpointSettings settings, std::int64_t bytes);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Counts as written once every shard is synced. Memory as Arena aligns it. Throws core::Error (system)
  /// naming the shard.
  std::vector<ShardTimes> write(std::span<const std::byte> state);
  /// Throws core::Error (system) also where a shard's bytes are not those its checksum was made of.
  std::vector<ShardTimes> read(std::span<std::byte> state);

 private:
  struct Shard {
    std::filesystem::path path;
    std::size_t offset = 0, bytes = 0;
    std::uint64_t checksum = 0;
  };
  ShardTimes write_shard(Shard& shard, StorageRing& ring, std::span<const std::byte> bytes) const;
  ShardTimes read_shard(const Shard& shard, StorageRing& ring, std::span<std::byte> bytes) const;

  CheckpointSettings settings_;
  std::vector<Shard> shards_;
  std::vector<std::unique_ptr<StorageRing>> rings_;  // by shard
};

}  // namespace assay::offload
