// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Answers that no file of /sys or /proc gives and a system call does. For a folder that is read instead of
// this machine, files of its folder `answers` stand for the calls.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/front/health/snapshot/platform.hpp"
#include "harness/link/read_counters.hpp"

namespace assay::health {

struct SystemAnswers {
  /// Log page 2 of an NVMe controller, 512 bytes; "" where it cannot be read. answers/nvme0.smart
  std::function<std::string(const std::string& controller)> smart_log;
  /// answers/eth0.module.PAGE.OFFSET, 128 bytes each
  std::function<link::ReadModule(const std::string& netdev)> module;
  /// answers/eth0.statistics: lines "name value"
  link::EthtoolStatistics statistics;
  /// answers/clock: "STATUS OFFSET_US LARGEST_ERROR_US"
  std::function<std::optional<ClockState>()> clock;
  /// answers/space: lines "MOUNT BYTES FREE FILES FREE_FILES"
  std::function<std::optional<Space>(const std::string& mount)> space;
  /// answers/fabric_manager; "" where there is none
  std::function<std::string()> fabric_manager_version;
};

/// Never throw for what they cannot read.
SystemAnswers answers_below(const std::string& root);

}  // namespace assay::health
