// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as the kernel

[[noreturn]] void cannot_write(const std::string& file, int why) {
  usage_error(fmt::format("{}: cannot be written: {}", file, std::strerror(why)));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  /// 0, or the errno of a write that failed only now.
  int close() {
    if (number_ < 0) return 0;
    return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno;
  }

 private:
  int number_;
};

/// Where the links lead, also to a file that is not there yet.
fs::path without_links(const std::string& file) {
  fs::path path = file;
  for (int links = 0;; ++links) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path target = fs::read_symlink(path, error);
    if (error || links == most_links) cannot_write(file, error ? error.value() : ELOOP);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
}

bool is_same_file(const struct stat& one, int descriptor) {
  struct stat other{};
  return ::fstat(descriptor, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// A second opening of a file that is standard output would begin at its top.
void write_into(const std::string& file, const struct stat& status, std::string_view bytes) {
  for (const int own : {STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_same_file(status, own)) continue;
    std::cout.flush();
    if (const int error = write_bytes(own, bytes); error != 0) cannot_write(file, error);
    return;
  }
  Descriptor opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (opened.number() < 0) cannot_write(file, errno);
  int error = write_bytes(opened.number(), bytes);
  if (const int at_close = opened.close(); error == 0) error = at_close;
  if (error != 0) cannot_write(file, error);
}

/// An unfinished file of an earlier process with this number is no longer in use.
int open_new(const fs::path& unfinished) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const int opened = ::open(unfinished.c_str(), flags, 0666);
  if (opened >= 0 || errno != EEXIST) return opened;
  ::unlink(unfinished.c_str());
  return ::open(unfinished.c_str(), flags, 0666);
}

void replace(const std::string& file, const fs::path& place, std::string_view bytes) {
  const fs::path unfinished = fmt::format("{}.{}", place.string(), ::getpid());
  Descriptor opened(open_new(unfinished));
  if (opened.number() < 0) cannot_write(file, errno);
  int error = write_bytes(opened.number(), bytes);
  if (const int at_close = opened.close(); error == 0) error = at_close;
  if (error == 0 && ::rename(unfinished.c_str(), place.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(unfinished.c_str());
  cannot_write(file, error);
}

}  // namespace

int write_bytes(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_whole_file(const std::string& file, std::string_view bytes) {
  struct stat status{};
  const bool there = ::stat(file.c_str(), &status) == 0;  // of what a link leads to
  if (!there && errno != ENOENT) cannot_write(file, errno);
  if (there && S_ISDIR(status.st_mode)) cannot_write(file, EISDIR);
  if (there && (!S_ISREG(status.st_mode) || is_same_file(status, STDOUT_FILENO) ||
                is_same_file(status, STDERR_FILENO)))
    return write_into(file, status, bytes);
  replace(file, without_links(file), bytes);
}

std::string read_whole_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) usage_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace assay::core
