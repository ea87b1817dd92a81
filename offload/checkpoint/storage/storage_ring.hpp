// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Moves memory to a file or back by io_uring: blocks in order, at most `depth` of them under way.
#pragma once

#include <liburing.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "offload/checkpoint/storage/storage_file.hpp"

namespace assay::offload {

class StorageRing {
 public:
  struct Settings {
    std::int64_t block_bytes = 1 << 20;
    unsigned depth = 8;
  };
  /// Throws core::Error (system); Unsupported where this kernel or this container has no io_uring, or the
  /// limit on locked memory is too low for it.
  explicit StorageRing(const Settings& settings);
  ~StorageRing();
  StorageRing(const StorageRing&) = delete;
  StorageRing& operator=(const StorageRing&) = delete;

  /// Called for each block, by its number, while others are under way: before it is written, after it was
  /// read.
  using BlockSeen = std::function<void(std::size_t block, std::span<const std::byte> bytes)>;

  /// The whole of `bytes` to the file's beginning, or from it. A direct file needs memory and length that are
  /// multiples of direct_alignment. Throws core::Error (system): what failed at which offset, or that the
  /// file ends before. What was under way is then waited for.
  void write(const StorageFile& file, std::span<const std::byte> bytes, const BlockSeen& seen);
  void read(const StorageFile& file, std::span<std::byte> bytes, const BlockSeen& seen);

 private:
  /// A block that is under way, or to be continued after a short transfer.
  struct Block {
    std::int64_t begin = 0, offset = 0, end = 0;
  };
  struct Transfer {
    const StorageFile& file;
    Access access;
    std::span<std::byte> bytes;
    const BlockSeen& seen;
  };
  void run(const Transfer& transfer);
  void start(const Transfer& transfer, std::size_t slot, std::int64_t begin);
  void announce(const Transfer& transfer, const Block& block) const;
  void submit(const Transfer& transfer, std::size_t slot);
  /// Waits for one block; its slot is free again where it is whole.
  void finish_one(const Transfer& transfer);
  void drain() noexcept;

  Settings settings_;
  io_uring ring_{};
  std::vector<Block> blocks_;  // by slot
  std::vector<std::size_t> free_slots_;
  std::size_t under_way_ = 0;
};

/// Why io_uring cannot be had here, in the kernel's words; nothing where it can.
std::optional<std::string> why_no_io_uring();

/// Explains the kernel's refusal (an errno) of a ring of `depth`. `wanted_bytes` of locked memory are asked
/// of the limit (RLIMIT_MEMLOCK); 0 where this kernel does not count them.
std::string io_uring_refusal(int code, unsigned depth, std::int64_t wanted_bytes, std::int64_t limit_bytes);

}  // namespace assay::offload
