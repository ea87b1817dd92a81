// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Moves memory to a file or back by io_uring: blocks in order, at most `depth` of them under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "offload/storage/request_ring.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {

class StorageRing {
 public:
  struct Settings {
    std::int64_t block_bytes = 1 << 20;
    unsigned depth = 8;
  };
  /// Throws what RequestRing throws.
  explicit StorageRing(const Settings& settings) : settings_(settings), ring_(settings.depth) {}

  /// Called for each block, by its number, while others are under way: before it is written, after it was
  /// read.
  using BlockSeen = std::function<void(std::size_t block, std::span<const std::byte> bytes)>;

  /// The whole of `bytes` to the file's beginning, or from it. A direct file needs memory and length that are
  /// multiples of direct_alignment. Throws core::Error (system): what failed at which offset, or that the
  /// file ends before. What was under way is then waited for.
  void write(const StorageFile& file, std::span<const std::byte> bytes, const BlockSeen& seen);
  void read(const StorageFile& file, std::span<std::byte> bytes, const BlockSeen& seen);

 private:
  void run(const StorageFile& file, bool writes, std::span<std::byte> bytes, const BlockSeen& seen);

  Settings settings_;
  RequestRing ring_;
};

}  // namespace assay::offload
