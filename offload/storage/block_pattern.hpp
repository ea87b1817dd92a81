// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Content of a file by which a block is known: each sector names its place and how often it was written, and
// the rest of it is incompressible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay::offload {

class BlockPattern {
 public:
  /// `filler`, whole sectors of direct_alignment, is filled with what sectors of `file` consist of; blocks to
  /// be written are parts of it. `file_bytes` are in blocks of `block_bytes`, which are counted as written
  /// 0 times.
  BlockPattern(std::span<std::byte> filler, std::uint64_t file, std::int64_t file_bytes,
               std::int64_t block_bytes);

  /// The block at `offset` is about to be written once more.
  void renew(std::int64_t offset) { ++times_written_[index_of(offset)]; }
  /// Makes `bytes`, whole sectors of the filler, what belongs at `offset`.
  void stamp(std::span<std::byte> bytes, std::int64_t offset) const;

  /// Offset of the first sector that is not the one last stamped for its place. By its stamp alone, which
  /// costs little enough to be done while requests are timed.
  std::optional<std::int64_t> first_misplaced(std::span<const std::byte> bytes, std::int64_t offset) const;
  /// Compares every bit.
  std::optional<std::int64_t> first_wrong(std::span<const std::byte> bytes, std::int64_t offset) const;

 private:
  std::size_t index_of(std::int64_t offset) const { return static_cast<std::size_t>(offset / block_bytes_); }
  std::uint64_t stamp_of(std::int64_t offset) const;
  bool has_its_filler(std::span<const std::byte> sector) const;

  std::span<const std::byte> filler_;
  std::uint64_t file_;
  std::int64_t block_bytes_;
  std::vector<std::uint32_t> times_written_;  // by block
};

}  // namespace assay::offload
