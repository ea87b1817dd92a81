// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::suite {
namespace {

/// Who holds the run, as it wrote it down.
struct Holder {
  long pid = 0;
  std::string host;
};

std::string name_of_this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Holder holder_in(int descriptor) {
  std::array<char, 512> buffer{};
  Holder holder;
  const ssize_t got = pread(descriptor, buffer.data(), buffer.size() - 1, 0);
  if (got > 0)
    std::istringstream(std::string(buffer.data(), static_cast<std::size_t>(got))) >> holder.pid >>
        holder.host;
  return holder;
}

/// A holder on another host counts as alive: nothing is known of it.
bool lives(const Holder& holder) {
  if (holder.pid <= 0 || holder.host != name_of_this_host()) return true;
  return kill(static_cast<pid_t>(holder.pid), 0) == 0 || errno != ESRCH;
}

[[noreturn]] void refuse_held(const std::filesystem::path& folder, const Holder& holder) {
  const std::string who = holder.pid > 0 ? fmt::format("process {} on {}", holder.pid, holder.host)
                                         : std::string("another process");
  core::usage_error(
      fmt::format("{}: this run is in use by {} (expected another --run-id, or --resume when it has ended)",
                  folder.string(), who));
}

[[noreturn]] void fail_to_lock(const std::filesystem::path& file) {
  const int code = errno;
  throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", file.string(), std::strerror(code)), code);
}

/// True where the file that was locked is still the one of this name.
bool is_still_there(int descriptor, const std::filesystem::path& file) {
  struct stat held{}, named{};
  return fstat(descriptor, &held) == 0 && stat(file.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/// A file system without locks (some NFS mounts) leaves one run at a time to the user.
bool try_lock(int descriptor, const std::filesystem::path& file) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  if (errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL) return true;
  fail_to_lock(file);
}

[[noreturn]] void refuse_unwritable(const std::filesystem::path& folder, const std::error_code& why) {
  std::filesystem::path there = folder;
  std::error_code ignored;
  while (there.has_parent_path() && there != there.parent_path() && !std::filesystem::exists(there, ignored))
    there = there.parent_path();
  core::usage_error(
      fmt::format("{}: cannot be written: {}", there.empty() ? "." : there.string(), why.message()));
}

/// Whose run was refused may remove the folder between the two.
int opened_lock(const std::filesystem::path& file) {
  int descriptor = -1;
  for (int attempt = 0; descriptor < 0 && attempt < 10; ++attempt) {
    std::error_code why;
    std::filesystem::create_directories(file.parent_path(), why);
    if (why) refuse_unwritable(file.parent_path(), why);
    descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0 && errno != ENOENT) break;
  }
  if (descriptor < 0 && (errno == EACCES || errno == EROFS || errno == EPERM))
    refuse_unwritable(file.parent_path(), std::error_code(errno, std::generic_category()));
  if (descriptor < 0) fail_to_lock(file);
  return descriptor;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& run_folder, double patience_s, const std::atomic<int>& signals)
    : folder_(run_folder), file_(run_folder / lock_file_name) {
  const auto start = std::chrono::steady_clock::now();
  for (bool reported = false;;) {
    descriptor_ = opened_lock(file_);
    const bool locked = try_lock(descriptor_, file_);
    if (locked && is_still_there(descriptor_, file_)) break;
    const Holder holder = holder_in(descriptor_);
    close(descriptor_);
    descriptor_ = -1;
    if (locked) continue;  // its holder removed it just now
    if (lives(holder) || signals > 0 || core::seconds_since(start) > patience_s)
      refuse_held(run_folder, holder);
    if (!reported)
      std::cerr << fmt::format("{}: waiting for what process {} left running\n", run_folder.string(),
                               holder.pid);
    reported = true;
    poll(nullptr, 0, 100);
  }
  const std::string self = fmt::format("{} {}\n", getpid(), name_of_this_host());
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, self.data(), self.size(), 0) < 0)
    fail_to_lock(file_);
}

/// Modules that still run keep the file's lock; who comes next makes another file only once they have ended.
/// The order of a refused run goes while no other process can have the run.
RunLock::~RunLock() {
  const bool is_refused = std::uncaught_exceptions() > exceptions_;
  std::error_code ignored;
  if (is_refused) folder_.remove_order();
  std::filesystem::remove(file_, ignored);
  if (is_refused) folder_.remove_where_empty();
  close(descriptor_);
}

}  // namespace assay::suite
