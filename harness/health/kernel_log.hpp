// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's log by sequence number, so that a window of it is exactly what was written between two
// readings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::health {

struct KernelRecord {
  std::uint64_t sequence = 0;
  std::uint64_t microseconds = 0;  // since the kernel started
  std::string text;
};

struct KernelLog {
  std::string unavailable;  // why it cannot be read; "" where it can
  std::vector<KernelRecord> records;
  std::uint64_t next_sequence = 0;  // of the record that will be written next
  int malformed = 0;                // records that are none
};

/// /dev/kmsg below `root` (Linux, Documentation/ABI/testing/dev-kmsg): the device, or a file of such records.
/// Does not wait for new ones. Never throws for what it cannot read.
KernelLog read_kernel_log(const std::string& root);

/// "6,339,5140900,-;NVRM: ..." and its continuation lines, which are dropped.
KernelLog parse_kernel_log(const std::string& text);

}  // namespace assay::health
