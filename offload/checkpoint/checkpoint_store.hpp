// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder that holds whole checkpoints, whenever the process that saves is killed: shards get names of their
// own, and count once a manifest names them. The last two generations are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "offload/checkpoint/storage/manifest.hpp"
#include "offload/checkpoint/storage/shard_io.hpp"

namespace assay::offload {

struct Saved {
  std::int64_t generation = 0;
  std::vector<ShardTimes> shards = {};
  double commit_s = 0;  // the manifest, named and synced
};

struct Restored {
  std::int64_t generation = 0;
  std::vector<std::string> damages = {};  // of newer generations: one line each
};

class CheckpointStore {
 public:
  /// That are kept once a save has ended. While it lasts there is one more: the new one is whole before an
  /// old one goes.
  static constexpr std::int64_t kept_generations = 2;
  static constexpr std::int64_t most_generations = kept_generations + 1;

  /// Opens the folder, and removes from it what saves left that were cut off. Throws core::Error: usage for
  /// invalid settings, system where it is not a writable folder.
  CheckpointStore(std::filesystem::path folder, const ShardSettings& settings, std::int64_t bytes);

  /// A new generation; older ones are touched only once it is whole. Throws core::Error (system): a full or
  /// failing device, naming the file; the generations before are then as they were.
  Saved save(std::span<const std::byte> state);

  /// The newest generation that is whole, bit for bit, never parts of two. Throws core::Error (system) where
  /// none is, naming what each lacks, or where it is of another size than this store's.
  Restored restore(std::span<std::byte> state);

  /// Those with a manifest, oldest first.
  std::vector<std::int64_t> generations() const;

 private:
  std::filesystem::path manifest_of(std::int64_t generation) const;
  std::filesystem::path shard_of(std::int64_t generation, std::size_t shard) const;
  void read_generation(std::int64_t generation, std::span<std::byte> state);
  void remove_all_but(const std::vector<std::int64_t>& kept) const;

  std::filesystem::path folder_;
  ShardSettings settings_;
  std::int64_t bytes_;
  ShardIo io_;
};

}  // namespace assay::offload
