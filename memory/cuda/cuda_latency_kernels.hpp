// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Launches of the pointer chase and of the kernel that builds its cycle.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "memory/cuda/cuda_geometry.hpp"

namespace assay::memory {

/// Its first word points to the next node.
struct alignas(chase_node_bytes) ChaseNode {
  ChaseNode* next;
};

/// A chase's result and its own clock readings.
struct ChaseResult {
  ChaseNode* end = nullptr;
  std::uint64_t cycles = 0;       // SM clock
  std::uint64_t nanoseconds = 0;  // global timer
};

inline constexpr std::uint64_t chase_seed = 20'260'821;

/// Links nodes[0, count) into one cycle: node permuted(j) points to node permuted(j + 1).
cudaError_t launch_link(ChaseNode* nodes, std::uint64_t count, int blocks, cudaStream_t stream);

/// One thread follows the cycle from *at: first `warm` loads that are not timed, then `steps` that are. *at
/// is left at the node after. `result` is host-mapped.
cudaError_t launch_chase(ChaseNode** at, std::uint64_t warm, std::uint64_t steps, ChaseResult* result,
                         cudaStream_t stream);

}  // namespace assay::memory
