// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of the loads that are queued: operands filled in place, and a triad. A launch returns its status.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "offload/interference/device/tile.hpp"

namespace assay::offload {

/// target[i] = operand_value(seed, i) as bf16.
cudaError_t launch_fill_operand(std::uint16_t* target, std::int64_t count, std::uint64_t seed,
                                cudaStream_t stream);

/// Three arrays of `tiles` tiles of fp32, in device memory.
struct TriadArrays {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  std::uint64_t tiles = 0;
};

/// a and b by their formulas; c all ones bits, which is not a number.
cudaError_t launch_fill_triad(const TriadArrays& arrays, cudaStream_t stream);

/// c = a + 3 b, a block for every tile: whichever multiprocessors are free take them.
cudaError_t launch_triad(const TriadArrays& arrays, cudaStream_t stream);

}  // namespace assay::offload
