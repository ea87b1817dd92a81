// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Differences between two runs in what is recorded of a machine and its software.
#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

/// "versions.nvidia driver: 570.86.15 -> 580.65.06", in the order of the later record; nothing of what
/// changes from minute to minute, as free memory, temperatures and clocks do.
std::vector<std::string> changes_between(const ContextRecord& before, const ContextRecord& after);

}  // namespace assay::results
