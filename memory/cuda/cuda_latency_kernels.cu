// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pointer chase: every load needs the address that the load before returns.
#include "harness/cuda/device_code.cuh"
#include "memory/cuda/cuda_accesses.cuh"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda/cuda_latency_kernels.hpp"

namespace assay::memory {
namespace {

__global__ void link_kernel(ChaseNode* nodes, std::uint64_t count) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t j = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; j < count; j += stride)
    nodes[permuted(j, count, chase_seed)].next =
        nodes + permuted(j + 1 == count ? 0 : j + 1, count, chase_seed);
}

__device__ __forceinline__ ChaseNode* follow(ChaseNode* node) { return load_through_l1(&node->next); }

__device__ __forceinline__ ChaseNode* follow(ChaseNode* node, std::uint64_t steps) {
  constexpr int unroll = 16;
  for (; steps >= unroll; steps -= unroll) {
#pragma unroll
    for (int i = 0; i < unroll; ++i) node = follow(node);
  }
  for (; steps > 0; --steps) node = follow(node);
  return node;
}

__global__ void chase_kernel(ChaseNode** at, std::uint64_t warm, std::uint64_t steps, ChaseResult* result) {
  ChaseNode* node = follow(*at, warm);
  const cuda::Clocks start = cuda::read_clocks();
  node = follow(node, steps);
  *at = node;  // needs the last load's answer, so the clocks below are read after it arrived
  const cuda::Clocks stop = cuda::read_clocks();
  result->end = node;
  result->cycles = stop.cycles - start.cycles;
  result->nanoseconds = stop.nanoseconds - start.nanoseconds;
}

}  // namespace

cudaError_t launch_link(ChaseNode* nodes, std::uint64_t count, int blocks, cudaStream_t stream) {
  return cuda::launch(link_kernel, {blocks, 256}, stream, nodes, count);
}

cudaError_t launch_chase(ChaseNode** at, std::uint64_t warm, std::uint64_t steps, ChaseResult* result,
                         cudaStream_t stream) {
  return cuda::launch(chase_kernel, {1, 1}, stream, at, warm, steps, result);
}

}  // namespace assay::memory
