// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of checkpoints, from host memory to a folder and back.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "offload/settings.hpp"

namespace assay::offload {

/// `settings` must outlive the cases: the command line may be read later.
std::vector<core::Case> checkpoint_cases(const ModuleSettings& settings);

}  // namespace assay::offload
