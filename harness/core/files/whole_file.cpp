// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as the kernel

[[noreturn]] void cannot_write(const std::string& file, int why) {
  usage_error(fmt::format("{}: cannot be written: {}", file, std::strerror(why)));
}

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }
  /// 0, or the errno of a write that failed only now.
  int close() {
    if (number_ < 0) return 0;
    return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno;
  }

 private:
  int number_;
};

/// Follows symbolic links to the path at their end, also to a file that is not there yet.
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

/// As write_bytes().
int write_pieces(int descriptor, const ByteWriter& write) {
  int error = 0;
  write([&](std::string_view piece) {
    if (error == 0) error = write_bytes(descriptor, piece);
  });
  return error;
}

/// A second opening of a file that is standard output would begin at its top.
void write_into(const std::string& file, const struct stat& status, const ByteWriter& write) {
  for (const int own : {STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_same_file(status, own)) continue;
    std::cout.flush();
    if (const int error = write_pieces(own, write); error != 0) cannot_write(file, error);
    return;
  }
  OpenFile opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (opened.number() < 0) cannot_write(file, errno);
  int error = write_pieces(opened.number(), write);
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

/// Removes what has not taken its place.
class Unfinished {
 public:
  explicit Unfinished(fs::path name) : name_(std::move(name)) {}
  ~Unfinished() {
    if (!finished_) ::unlink(name_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  /// 0, or the errno.
  int rename(const fs::path& place) {
    finished_ = ::rename(name_.c_str(), place.c_str()) == 0;
    return finished_ ? 0 : errno;
  }

 private:
  fs::path name_;
  bool finished_ = false;
};

void replace(const std::string& file, const fs::path& place, const ByteWriter& write) {
  const fs::path name = fmt::format("{}.{}", place.string(), ::getpid());
  OpenFile opened(open_new(name));
  if (opened.number() < 0) cannot_write(file, errno);
  Unfinished unfinished(name);
  int error = write_pieces(opened.number(), write);
  if (const int at_close = opened.close(); error == 0) error = at_close;
  if (error == 0) error = unfinished.rename(place);
  if (error != 0) cannot_write(file, error);
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
  write_whole_file(file, [bytes](const ByteSink& sink) { sink(bytes); });
}

void write_whole_file(const std::string& file, const ByteWriter& write) {
  struct stat status{};
  const bool there = ::stat(file.c_str(), &status) == 0;  // of what a link leads to
  if (!there && errno != ENOENT) cannot_write(file, errno);
  if (there && S_ISDIR(status.st_mode)) cannot_write(file, EISDIR);
  if (there && (!S_ISREG(status.st_mode) || is_same_file(status, STDOUT_FILENO) ||
                is_same_file(status, STDERR_FILENO)))
    return write_into(file, status, write);
  replace(file, without_links(file), write);
}

std::string read_whole_file(const std::string& file) {
  return read_input(file, "a file", std::size_t{512} << 20U);
}

}  // namespace assay::core
