// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// In the place of checkpoints of a GPU, in a build without CUDA or without liburing.
#include "offload/checkpoint/device_checkpoint_cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_checkpoint_cases(const ModuleSettings&, const machine::Machine&) { return {}; }

}  // namespace assay::offload
