// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The threads of one thread block, run by one thread of the host: each goes on until it ends or waits for the
// others, and waiting ones are kept on stacks of their own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

namespace assay::cuda::simulated {

/// The running thread's place in its kernel, and what it needs to know of its block.
struct Place {
  uint3 thread{}, block{};
  dim3 block_size, grid_size;
  unsigned multiprocessor = 0;
  bool has_multiprocessor_to_itself = false;
  unsigned clock_reads = 0;  // of this block so far
  unsigned char* launched_shared_memory = nullptr;
  // On a pretended node.
  double began_ns = 0, clock_mhz = 0;  // of the grid
  double waited_ns = 0;                // for memory, by loads that wait for each other
  std::uint64_t moved_bytes = 0;       // by this block
};
Place& place();

/// The exception that __trap() throws.
struct Trap {};

/// Calls kernel() once for every thread of a block of place().block_size, as place().block. Throws Trap, and
/// std::logic_error where some threads wait for the block and others for their warp.
void run_block(const std::function<void()>& kernel);

/// Called by threads of a block: waits until all that have not ended called it.
void wait_for_block();

/// Called by threads of a block: the sum, modulo 2^32, over those of the same 32 threads that have not ended.
unsigned sum_over_warp(unsigned value);

/// Called by threads of a block: the value of the thread whose number among the 32 differs in the bits of
/// `other`.
float exchange_in_warp(float value, unsigned other);

}  // namespace assay::cuda::simulated
