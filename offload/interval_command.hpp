// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay-offload interval`: how often to save, computed from what was measured and a failure rate.
#pragma once

#include <string>

#include "offload/checkpoint/useful_time.hpp"

namespace assay::offload {

/// argv[0] is "interval". Returns an exit code.
int interval_command(int argc, char** argv);

/// The table that it prints: interval and useful share by each formula, and by the interval in use where one
/// is given (> 0).
std::string interval_table(const FailureCosts& costs, double in_use_s);

}  // namespace assay::offload
