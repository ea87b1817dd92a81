// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file of a checkpoint or a storage case: opened past the page cache where the file system can.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace assay::offload {

/// The alignment that O_DIRECT asks of addresses, offsets and lengths on every file system in use.
inline constexpr std::int64_t direct_alignment = 4096;

/// `update`: a new file without a name, to be written and read; it is gone with its descriptor, however the
/// program ends.
enum class Access { write, read, update };

class StorageFile {
 public:
  /// `direct`: past the page cache where the file system can, else through it (see is_direct()).
  /// Writing replaces the file. Throws core::Error (system) naming the path and what to do.
  StorageFile(const std::filesystem::path& path, Access access, bool direct);
  ~StorageFile();
  StorageFile(const StorageFile&) = delete;
  StorageFile& operator=(const StorageFile&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_direct() const { return direct_; }
  std::int64_t bytes() const;

  /// Reserves space, so that a full file system is reported before anything is written.
  void reserve(std::int64_t bytes);
  /// Until the bytes are on the device.
  void sync();
  /// Drops what the page cache holds of it: a read that follows comes from the device.
  void forget_cached();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool direct_ = false;
};

/// For the record: what became of a wish to pass the page cache by.
std::string page_cache_use(bool asked_direct, bool is_direct);

/// Bytes that are free; empty for a file system that does not count its blocks (some of FUSE, proc): what is
/// not known is not full.
std::optional<std::int64_t> free_bytes(std::uint64_t blocks, std::uint64_t free_blocks,
                                       std::uint64_t block_bytes);

/// Throws core::Error (system) where `folder` is not a writable folder, or is known to have less free
/// than the `bytes` that `what_takes` them ("the checkpoint takes").
void check_space(const std::filesystem::path& folder, std::int64_t bytes,
                 const std::string& what_takes = "the checkpoint takes");

}  // namespace assay::offload
