// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How much memory can still be touched before the kernel starts killing: checked before every large mapping.
#pragma once

#include <cstdint>
#include <string>

namespace assay::host {

/// Bytes available to this process: the least of what the machine, NUMA node `node` (-1: no particular one)
/// and the memory cgroup have left. `root` is prefixed to /proc and /sys, for tests. A limit that cannot be
/// read is ignored.
std::int64_t available_memory_bytes(int node, const std::string& root = "");

/// Bytes of anonymous memory this process has touched (RssAnon).
std::int64_t resident_bytes(const std::string& root = "");

}  // namespace assay::host
