// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/storage_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::filesystem::path& path, int code) {
  throw core::Error(core::ErrorKind::system,
                    fmt::format("{} {}: {}", doing, path.string(), std::strerror(code)), code);
}

int flags_of(Access access) {
  switch (access) {
    case Access::write:
      return O_WRONLY | O_CREAT | O_TRUNC;
    case Access::update:
      return O_RDWR | O_CREAT | O_TRUNC;
    case Access::read:
      break;
  }
  return O_RDONLY;
}

int open_for(const std::filesystem::path& path, Access access, int more) {
  const int descriptor = open(path.c_str(), flags_of(access) | O_CLOEXEC | more, 0600);
  if (access == Access::update) unlink(path.c_str());  // also what a refused O_DIRECT left behind
  return descriptor;
}

}  // namespace

StorageFile::StorageFile(const std::filesystem::path& path, Access access, bool direct)
    : path_(path), direct_(direct) {
  descriptor_ = open_for(path, access, direct ? O_DIRECT : 0);
  if (descriptor_ < 0 && direct && errno == EINVAL) {
    direct_ = false;
    descriptor_ = open_for(path, access, 0);
  }
  if (descriptor_ < 0) fail(access == Access::read ? "read" : "write", path, errno);
}

StorageFile::~StorageFile() { close(descriptor_); }

std::int64_t StorageFile::bytes() const {
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) fail("look at", path_, errno);
  return status.st_size;
}

void StorageFile::reserve(std::int64_t bytes) {
  // Not every file system can reserve; one that cannot says so when it is written to.
  if (const int code = posix_fallocate(descriptor_, 0, bytes); code == ENOSPC || code == EFBIG)
    fail(fmt::format("reserve {} in", core::format_bytes(bytes)), path_, code);
}

void StorageFile::sync() {
  if (fdatasync(descriptor_) != 0) fail("sync", path_, errno);
}

void StorageFile::forget_cached() {
  static_cast<void>(posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED));
}

std::string page_cache_use(bool asked_direct, bool is_direct) {
  if (is_direct) return "passed by (O_DIRECT)";
  return asked_direct ? "used: the file system has no O_DIRECT" : "used, as asked";
}

std::optional<std::int64_t> free_bytes(std::uint64_t blocks, std::uint64_t free_blocks,
                                       std::uint64_t block_bytes) {
  if (blocks == 0) return std::nullopt;
  return static_cast<std::int64_t>(free_blocks * block_bytes);
}

void check_space(const std::filesystem::path& folder, std::int64_t bytes, const std::string& what_takes) {
  struct statvfs status{};
  if (statvfs(folder.c_str(), &status) != 0) fail("look for space in", folder, errno);
  if (!std::filesystem::is_directory(folder)) fail("write checkpoints to", folder, ENOTDIR);
  if (access(folder.c_str(), W_OK) != 0) fail("write checkpoints to", folder, errno);
  const auto free = free_bytes(status.f_blocks, status.f_bavail, status.f_frsize);
  if (free && bytes > *free)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("{} has {} free, but {} {}: give another folder with --checkpoint-dir, or "
                                  "fewer bytes",
                                  folder.string(), core::format_bytes(*free / core::mib * core::mib),
                                  what_takes, core::format_bytes(bytes)),
                      ENOSPC);
}

}  // namespace assay::offload
