// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copy by the bulk copy engine of an SM (TMA): global memory to shared memory and back, no data in registers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "memory/cuda/cuda_stream_kernels.hpp"

namespace assay::memory {

inline constexpr std::int64_t bulk_chunk_bytes = std::int64_t{16} * 1024;

/// launch.a to launch.c, `passes` times, with launch.blocks blocks. Needs compute capability 9.0.
cudaError_t launch_bulk_copy(const StreamLaunch& launch, cudaStream_t stream);

/// Resident blocks on one SM of the current device; also allows the kernel its shared memory, so call it
/// first.
cudaError_t bulk_copy_blocks_per_sm(int& blocks);

}  // namespace assay::memory
