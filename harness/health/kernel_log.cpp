// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/health/kernel_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <sstream>

#include "harness/core/descriptor.hpp"

namespace assay::health {
namespace {

/// The number at the start of `text`, which then begins behind the separator that follows it.
std::optional<std::uint64_t> take_number(std::string_view& text, char separator) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data() + text.size() || *end != separator) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return value;
}

std::optional<KernelRecord> parse_record(std::string_view line) {
  const auto priority = take_number(line, ',');
  const auto sequence = priority ? take_number(line, ',') : std::nullopt;
  const auto microseconds = sequence ? take_number(line, ',') : std::nullopt;
  const auto text = line.find(';');
  if (!microseconds || text == std::string_view::npos) return {};
  return KernelRecord{*sequence, *microseconds, std::string(line.substr(text + 1))};
}

/// Each read of the device gives one record; EPIPE says that the next one was overwritten meanwhile.
std::string read_all(int file, std::string& unavailable) {
  std::string all;
  std::array<char, 16384> part{};
  for (;;) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got > 0) {
      all.append(part.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno == EAGAIN) {
      return all;
    } else if (errno != EPIPE && errno != EINTR) {
      unavailable = std::strerror(errno);
      return all;
    }
  }
}

}  // namespace

KernelLog parse_kernel_log(const std::string& text) {
  KernelLog log;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == ' ') continue;
    if (auto record = parse_record(line)) {
      log.next_sequence = std::max(log.next_sequence, record->sequence + 1);
      log.records.push_back(std::move(*record));
    } else {
      ++log.malformed;
    }
  }
  return log;
}

KernelLog read_kernel_log(const std::string& root) {
  const std::string path = root + "/dev/kmsg";
  const core::Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  KernelLog nothing;
  if (!file) {
    nothing.unavailable = path + ": " + std::strerror(errno);
    if (errno == EPERM || errno == EACCES) nothing.unavailable += " (needs root, or kernel.dmesg_restrict=0)";
    return nothing;
  }
  std::string trouble;
  KernelLog log = parse_kernel_log(read_all(file.get(), trouble));
  if (!trouble.empty()) log.unavailable = path + ": " + trouble;
  return log;
}

}  // namespace assay::health
