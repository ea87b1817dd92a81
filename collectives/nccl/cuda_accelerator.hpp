// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of this process, for NCCL.
#pragma once

#include <memory>

#include "collectives/nccl/accelerator.hpp"

namespace assay::collectives {

/// The device is current while it lives. Throws core::Error (cuda) in the driver's words.
std::unique_ptr<Accelerator> make_cuda_accelerator(int device);

}  // namespace assay::collectives
