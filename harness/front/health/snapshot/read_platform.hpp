// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/front/health/snapshot/system_answers.hpp"
#include "harness/machine/tree.hpp"

namespace assay::health {

/// `snapshot` has its links and adapters already.
Platform read_platform(const machine::Tree& tree, const Snapshot& snapshot, const SystemAnswers& answers);

/// Parses a drive's SMART log page; nothing where it is another page, or none.
std::optional<SmartLog> parse_smart_log(const std::string& page);

/// The access control of a port, from its 4096 bytes of configuration.
Bridge parse_access_control(const std::string& address, const std::string& configuration);

/// The soft limit in a line of /proc/self/limits: "Max open files  1024  524288  files"; all ones for
/// "unlimited".
std::optional<std::uint64_t> parse_limit(const std::string& text, const std::string& name);

/// Mounts of block devices that can be written, and "/", from /proc/mounts.
std::vector<std::string> writable_mounts(const std::string& text);

}  // namespace assay::health
