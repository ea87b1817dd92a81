// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of this process, for NCCL.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "collectives/nccl/accelerator.hpp"

namespace assay::collectives {

/// In the driver's words. Makes no context: each rank's process would make one on the first GPU.
std::optional<std::string> why_no_gpu();

/// The device is current from now on, also afterwards: to go back to the first one would make a context
/// there. Throws core::Error (cuda) in the driver's words.
std::unique_ptr<Accelerator> make_cuda_accelerator(int device);

}  // namespace assay::collectives
