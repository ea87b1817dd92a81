// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names in the kernel's log that any user chooses: of processes, of the files that they map, of control
// groups. The kernel writes them into lines about crashes, kills and hangs, where they may read like a fault
// of the machine.
#pragma once

#include <string>
#include <string_view>

namespace assay::health {

/// The line with "process" instead of each such name, and without what follows where only names follow.
std::string without_process_names(std::string_view line);

}  // namespace assay::health
