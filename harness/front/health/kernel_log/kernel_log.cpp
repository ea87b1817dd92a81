// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/kernel_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/klog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/core/files/descriptor.hpp"
#include "harness/front/health/kernel_log/kernel_log_forms.hpp"

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

/// The kernel writes all but printable ASCII as \xNN (printk.c, msg_add_ext_text): other bytes are damage.
bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return letter == '\t' || (letter >= 0x20 && letter < 0x7f);
  });
}

std::optional<KernelRecord> parse_record(std::string_view line) {
  constexpr std::uint64_t levels = 8, most_priority = 0xffff;  // facility x 8 + level
  const auto priority = take_number(line, ',');
  const auto sequence = priority ? take_number(line, ',') : std::nullopt;
  const auto microseconds = sequence ? take_number(line, ',') : std::nullopt;
  const auto text = line.find(';');
  if (!microseconds || text == std::string_view::npos || *priority > most_priority || !printable(line))
    return {};
  KernelRecord record{
      *sequence, *microseconds, static_cast<int>(*priority % levels), std::string(line.substr(text + 1)), {}};
  record.event = recognise(record.text, record.level);
  return record;
}

/// " SUBSYSTEM=pci", of the record before.
bool is_continuation(std::string_view line) {
  return line.empty() || (line.front() == ' ' && line.find('=') != std::string_view::npos && printable(line));
}

/// A damaged record is still one.
bool begins_like_a_record(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return !line.empty() && line[0] >= '0' && line[0] <= '9' && line.find(',') != std::string_view::npos;
}

void add_record(KernelLog& log, KernelRecord record) {
  if (!log.records.empty() && record.sequence <= log.records.back().sequence) ++log.out_of_order;
  log.next_sequence = std::max(log.next_sequence, record.sequence + 1);
  log.records.push_back(std::move(record));
}

struct Bytes {
  std::string text, trouble;
  int overrun = 0;
};

/// EPIPE says that the next record was overwritten meanwhile: reading continues after the gap.
Bytes read_all(const ReadKernelRecord& read) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20U;  // far above any kernel's buffer
  Bytes all;
  std::array<char, 16384> part{};
  while (all.text.size() <= most_bytes) {
    errno = 0;
    const long got = read(part.data(), part.size());
    if (got > 0) {
      all.text.append(part.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno == EAGAIN) {
      return all;
    } else if (errno == EPIPE) {
      ++all.overrun;
    } else if (errno != EINTR) {
      all.trouble = std::strerror(errno);
      return all;
    }
  }
  all.trouble = "longer than the log of any kernel";
  return all;
}

KernelLog unavailable(std::string why) {
  KernelLog nothing;
  nothing.unavailable = std::move(why);
  return nothing;
}

}  // namespace

std::optional<std::string> read_ring_buffer() {
  constexpr int read_all_action = 3, size_action = 10;  // linux/syslog.h, not for user space
  const int size = klogctl(size_action, nullptr, 0);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(size), '\0');
  const int got = klogctl(read_all_action, text.data(), size);
  if (got < 0) return {};
  text.resize(static_cast<std::size_t>(got));
  return text;
}

void number_by_time(KernelLog& log) {
  std::uint64_t next = 0;
  for (KernelRecord& record : log.records) {
    record.sequence = std::max(record.microseconds << 10U, next);
    next = record.sequence + 1;
  }
  log.next_sequence = next;
  log.by_time = true;
}

KernelLog parse_ring_buffer(const std::string& text) {
  KernelLog log = parse_kept_log(text).value_or(KernelLog{});
  number_by_time(log);
  return log;
}

KernelLog parse_kernel_log(const std::string& text) {
  KernelLog log;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const bool whole = end != std::string::npos;
    const std::string_view line = std::string_view(text).substr(at, (whole ? end : text.size()) - at);
    at = whole ? end + 1 : text.size();
    const bool of_before = is_continuation(line);
    auto record = of_before ? std::nullopt : parse_record(line);
    if (!whole || (!of_before && !record)) ++log.malformed;
    if (record) add_record(log, std::move(*record));
  }
  return log;
}

KernelLog read_kernel_log(const ReadKernelRecord& read, const std::string& name) {
  const Bytes bytes = read_all(read);
  KernelLog log = parse_kernel_log(bytes.text);
  if (log.records.empty() && log.malformed > 0) {
    if (auto kept = parse_kept_log(bytes.text))
      log = std::move(*kept);
    else if (!begins_like_a_record(bytes.text))
      log.unavailable = name + ": not in the form of /dev/kmsg, dmesg, journalctl or journalctl -o json";
  }
  log.overrun = bytes.overrun;
  if (!bytes.trouble.empty()) log.unavailable = name + ": " + bytes.trouble;
  return log;
}

KernelLog read_kernel_log(const std::string& root) {
  const std::string path = root + "/dev/kmsg";
  const core::Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    const std::string why = path + ": " + std::strerror(errno);
    if (!root.empty()) return unavailable(why);
    if (const auto text = read_ring_buffer()) return parse_ring_buffer(*text);
    return unavailable(fmt::format("{}; syslog(2): {} (needs CAP_SYSLOG, or kernel.dmesg_restrict=0)", why,
                                   std::strerror(errno)));
  }
  return read_kernel_log(
      [&](char* into, std::size_t most) { return static_cast<long>(::read(file.get(), into, most)); }, path);
}

}  // namespace assay::health
