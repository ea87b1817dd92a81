// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's log by sequence number, so that a window of it is exactly what was written between two
// readings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/health/kernel_log/kernel_events.hpp"

namespace assay::health {

struct KernelRecord {
  std::uint64_t sequence = 0;
  std::uint64_t microseconds = 0;  // since the kernel started
  int level = informational_level;
  std::string text;
  std::optional<KernelEvent> event;  // what the text means; empty where it is about something else
};

struct KernelLog {
  std::string unavailable;  // why it cannot be read; "" where it can
  std::vector<KernelRecord> records;
  std::uint64_t next_sequence = 0;  // of the record that will be written next
  int malformed = 0;                // records that are malformed, damaged, or cut off
  int out_of_order = 0;             // records whose sequence number is not above the one before
  int overrun = 0;                  // how often the kernel wrote over records while they were read
  bool by_time = false;             // sequence numbers are of number_by_time(): gaps say nothing
};

/// /dev/kmsg below `root` (Linux, Documentation/ABI/testing/dev-kmsg): the device, or a file of such records,
/// of dmesg's text, or of journalctl's text or JSON. Without `root` and without that device, which the device
/// cgroup of a container keeps away, syslog(2), which needs CAP_SYSLOG alone. Does not wait for new records.
/// Never throws for what it cannot read.
KernelLog read_kernel_log(const std::string& root);

/// The answer of syslog(2) to SYSLOG_ACTION_READ_ALL, "<6>[    5.140900] NVRM: ..." a line, without numbers.
/// Nothing where this process may not read it.
std::optional<std::string> read_ring_buffer();
KernelLog parse_ring_buffer(const std::string& text);
/// Sequence numbers from times, in 1/1024 of a microsecond, so that records of the same time keep their
/// order.
void number_by_time(KernelLog& log);
inline double seconds_of_number(std::uint64_t sequence) {
  return static_cast<double>(sequence >> 10U) * 1e-6;
}

/// read(2) of the device, errno included: each call gives one record, none left is EAGAIN.
using ReadKernelRecord = std::function<long(char* into, std::size_t most)>;
KernelLog read_kernel_log(const ReadKernelRecord& read, const std::string& name);

/// "6,339,5140900,-;NVRM: ..." and its continuation lines, which are dropped. Every line ends with a newline:
/// one that does not was cut off.
KernelLog parse_kernel_log(const std::string& text);

}  // namespace assay::health
