// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The log of NVIDIA's fabric manager, which reports errors of NVSwitches and NVLinks on systems before
// NVLink 5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/front/health/kernel_log/kernel_log.hpp"

namespace assay::health {

inline constexpr std::string_view manager_log_check = "gpu.fabric_manager_log";

/// The file that the manager's configuration below `root` names, and the one that was rotated before it.
/// Records have numbers by the time of day; those before `started_s`, in seconds since 1970, are left out.
/// `unavailable` says why there are none; `absent` where the manager keeps no such file.
struct ManagerLog : KernelLog {
  bool absent = false;
};
ManagerLog read_manager_log(const std::string& root, std::uint64_t started_s);

/// "[Jul 09 2024 18:14:07] [ERROR] [tid 12727] text" a line, in local time; other lines belong to the record
/// before or, without one, count in `malformed`. Numbers are number_by_time()'s.
KernelLog parse_manager_log(const std::string& text);

}  // namespace assay::health
