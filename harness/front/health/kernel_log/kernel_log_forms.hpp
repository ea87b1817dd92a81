// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's log as people keep it: the text of dmesg and of journalctl, and journalctl's JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/front/health/kernel_log/kernel_log.hpp"

namespace assay::health {

/// Records numbered from 0, with their level where the form has one. Nothing where the first line that is not
/// blank is in none of these forms; a later line that is in none belongs to the record before, or counts in
/// `malformed`.
std::optional<KernelLog> parse_kept_log(const std::string& text);

}  // namespace assay::health
