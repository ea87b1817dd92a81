// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Launches of the vector kernels of a transformer on a GPU. Pointers are to device memory, aligned to 16
// bytes; every launch returns the launch's status.
#pragma once

#include <cuda_runtime_api.h>

#include "memory/host/vector_kernels.hpp"

namespace assay::memory {

/// Blocks of 256 threads that a multiprocessor holds with the 40 registers that the largest kernel takes.
inline constexpr int vector_blocks_per_sm = 6;

/// Runs the kernel once over the part; `most_blocks` are resident at once.
cudaError_t launch_vector(VectorKernel kernel, VectorType type, const VectorPart& part, int most_blocks,
                          cudaStream_t stream);

/// Writes the inputs of vector_input() into x, r and p where they are there, and zeros into the moments.
cudaError_t launch_vector_inputs(VectorType type, const VectorPart& part, int blocks, cudaStream_t stream);

}  // namespace assay::memory
