// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes that the CUDA memory cases share.
#pragma once

#include <vector>

#include "harness/core/axis.hpp"

namespace assay::memory {

/// gpu, bytes (4 MiB to 4 GiB: from inside the L2 to far beyond it), cache_state (hot, cold).
std::vector<core::Axis> cuda_stream_axes();

/// bytes for the latency ladder: 32 KiB (L1) to 4 GiB.
core::Axis cuda_ladder_axis();

}  // namespace assay::memory
