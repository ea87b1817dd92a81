// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.checkpoint: a checkpoint of a GPU's memory, in two stages beside its products.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"
#include "offload/settings.hpp"

namespace assay::offload {

/// Empty in a build without CUDA or without liburing. `settings` must outlive the cases: the command line may
/// be read later.
std::vector<core::Case> device_checkpoint_cases(const ModuleSettings& settings,
                                                const machine::Machine& machine);

}  // namespace assay::offload
