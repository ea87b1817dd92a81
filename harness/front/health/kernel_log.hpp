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

#include "harness/front/health/kernel_events.hpp"

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
};

/// /dev/kmsg below `root` (Linux, Documentation/ABI/testing/dev-kmsg): the device, or a file of such records,
/// of dmesg's text, or of journalctl's text or JSON. Does not wait for new ones. Never throws for what it
/// cannot read.
KernelLog read_kernel_log(const std::string& root);

/// read(2) of the device, errno included: each call gives one record, none left is EAGAIN.
using ReadKernelRecord = std::function<long(char* into, std::size_t most)>;
KernelLog read_kernel_log(const ReadKernelRecord& read, const std::string& name);

/// "6,339,5140900,-;NVRM: ..." and its continuation lines, which are dropped. Every line ends with a newline:
/// one that does not was cut off.
KernelLog parse_kernel_log(const std::string& text);

}  // namespace assay::health
