// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// How many thread blocks of how many threads a kernel is launched with.
struct LaunchShape {
  /// In a row; both are positive and below 2^31.
  LaunchShape(std::int64_t block_count, std::int64_t threads_per_block, std::size_t shared = 0)
      : LaunchShape(dim3(static_cast<unsigned>(block_count)), dim3(static_cast<unsigned>(threads_per_block)),
                    shared) {}
  LaunchShape(dim3 grid, dim3 block, std::size_t shared = 0)
      : blocks(grid), threads(block), shared_bytes(shared) {}

  dim3 blocks, threads;
  std::size_t shared_bytes;  // of a block, in addition to what the kernel declares
};

}  // namespace assay::cuda
