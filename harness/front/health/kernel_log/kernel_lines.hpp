// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of the kernel's log that are known, by the part of the kernel that writes them: what each means, and
// what to do. The texts are those of Linux 4.18 to 6.12 and of NVIDIA's drivers.
#pragma once

#include <span>
#include <string_view>

#include "harness/front/health/kernel_log/kernel_events.hpp"

namespace assay::health {

struct KnownLine {
  std::string_view check, label;
  std::string_view pattern;  // see line_pattern.hpp
  Status status;
  Action action;
  std::string_view meaning;
  EventScope scope = EventScope::any;
};

/// Lines of a healthy machine that look like one of the others, or have a high priority. These are tried
/// first.
std::span<const std::string_view> harmless_lines();

// The first that fits decides, in this order of tables.
std::span<const KnownLine> gpu_lines();
std::span<const KnownLine> adapter_lines();
std::span<const KnownLine> pcie_lines();
std::span<const KnownLine> processor_lines();
std::span<const KnownLine> system_lines();
std::span<const KnownLine> storage_lines();

}  // namespace assay::health
