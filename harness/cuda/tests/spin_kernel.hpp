// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A kernel that lasts as long as a test wants.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace assay::cuda {

/// Keeps `blocks` SMs busy with dependent arithmetic for `nanoseconds` (at most 60 s), without touching
/// memory.
cudaError_t launch_spin(int blocks, std::uint64_t nanoseconds, cudaStream_t stream);

}  // namespace assay::cuda
