// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"

namespace assay::core {
namespace {

constexpr std::size_t shown_path_bytes = 500;
constexpr int patience_ms = 3000;  // for the first writer of a named pipe
constexpr int look_every_ms = 50;

/// Linux, Documentation/admin-guide/devices.txt: /dev/null is 1:3.
bool is_null_device(const struct stat& status) {
  return S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 && minor(status.st_rdev) == 3;
}

}  // namespace

InputFile::InputFile(const std::string& path, const std::string& expected)
    : path_(path), expected_(expected) {
  if (path.empty()) usage_error(fmt::format("expected the name of {}, got an empty one", expected));
  if (path.find('\0') != std::string::npos) refuse("cannot be read");
  open();
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::refuse(std::string_view why) const {
  usage_error(fmt::format("{}: {}; expected {}", printable(path_, shown_path_bytes), why, expected_));
}

// Not blocking: the open of a pipe would wait for its writer, and of some devices for a signal of the line.
void InputFile::open() {
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0) refuse("cannot be read");
  if (S_ISDIR(status.st_mode)) refuse("is a folder");
  if (S_ISBLK(status.st_mode)) refuse("is a device");
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) refuse("cannot be read");
  const bool is_terminal = S_ISCHR(status.st_mode) && ::isatty(descriptor_) == 1;
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !is_terminal && !is_null_device(status))
    refuse("is a device");
  may_wait_ = S_ISFIFO(status.st_mode) || is_terminal;
  had_writer_ = is_terminal;
}

bool InputFile::wait_for_bytes() {
  pollfd asked{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (::poll(&asked, 1, look_every_ms) == 0 && !had_writer_) idle_ms_ += look_every_ms;
  if ((asked.revents & POLLHUP) != 0) had_writer_ = true;  // it opened and closed
  return idle_ms_ < patience_ms;
}

// A read of a pipe without a writer gives 0 bytes, and with an idle one EAGAIN: pipe(7).
std::size_t InputFile::read(char* to, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, size);
    if (got > 0) {
      had_writer_ = true;
      return static_cast<std::size_t>(got);
    }
    if (got < 0 && errno == EINTR) continue;
    const bool idle = got < 0 && errno == EAGAIN && may_wait_;
    if (got < 0 && !idle) refuse("cannot be read");
    if (idle) had_writer_ = true;
    if (got == 0 && (!may_wait_ || had_writer_)) return 0;
    if (!wait_for_bytes()) refuse("is a pipe that no program writes to");
  }
}

bool is_there(const std::string& path) {
  std::error_code unusable_name;
  return std::filesystem::exists(path, unusable_name);
}

std::string read_input(const std::string& path, const std::string& expected, std::size_t most_bytes) {
  InputFile file(path, expected);
  std::string text;
  constexpr std::size_t piece_bytes = 1 << 18;
  for (std::size_t held = 0;;) {
    text.resize(held + piece_bytes);
    const std::size_t got = file.read(text.data() + held, piece_bytes);
    held += got;
    if (held > most_bytes)
      usage_error(fmt::format("{}: is longer than {} MiB; expected {}", printable(path, shown_path_bytes),
                              most_bytes >> 20U, expected));
    if (got > 0) continue;
    text.resize(held);
    return text;
  }
}

}  // namespace assay::core
