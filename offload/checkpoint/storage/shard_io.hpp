// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Shards: a job's state cut into files that are written and read at once, by a thread and a ring each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "offload/checkpoint/storage/storage_ring.hpp"

namespace assay::offload {

struct ShardSettings {
  int shards = 1;
  bool direct = true;     // past the page cache, where the file system can
  bool checksums = true;  // XXH3, 64 bits, of every block as it is written or read
  StorageRing::Settings ring = {};
};

/// A part of the state and the file it lies in.
struct Shard {
  std::filesystem::path path;
  std::int64_t offset = 0, bytes = 0;
  std::uint64_t checksum = 0;
};

/// Times of one shard, in seconds of its thread: the slowest shard is what a job waits for.
struct ShardTimes {
  double transfer_s = 0;  // checksums and io_uring
  double sync_s = 0;      // fdatasync; 0 when reading
  bool direct = false;    // what the file system gave
};

/// The shards of `bytes`, each of whole blocks of direct_alignment, without paths. Throws core::Error (usage)
/// for invalid settings.
std::vector<Shard> cut_into_shards(const ShardSettings& settings, std::int64_t bytes);

/// The checksum of a shard that consists of these bytes.
std::uint64_t checksum_of(std::span<const std::byte> bytes, std::int64_t block_bytes);
/// Throws core::Error (system), naming `what`, where it is not the shard's.
void require_checksum(const std::string& what, std::uint64_t checksum, const Shard& shard);

class ShardIo {
 public:
  explicit ShardIo(const ShardSettings& settings);

  /// Counts as written once every shard is synced; sets their checksums. Memory as Arena aligns it. Throws
  /// core::Error (system) naming the shard.
  std::vector<ShardTimes> write(std::span<Shard> shards, std::span<const std::byte> state);
  /// Throws core::Error (system) also where a shard's bytes are not those its checksum was made of.
  std::vector<ShardTimes> read(std::span<const Shard> shards, std::span<std::byte> state);

 private:
  ShardTimes write_one(Shard& shard, StorageRing& ring, std::span<const std::byte> bytes) const;
  ShardTimes read_one(const Shard& shard, StorageRing& ring, std::span<std::byte> bytes) const;

  ShardSettings settings_;
  std::vector<std::unique_ptr<StorageRing>> rings_;  // by shard
};

}  // namespace assay::offload
