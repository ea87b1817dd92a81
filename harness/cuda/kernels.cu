// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of the harness: the gate that holds a stream back, the stamps of the SM clocks, and loads that keep
// a GPU busy.
#include "harness/cuda/device_code.cuh"
#include "harness/cuda/kernels.hpp"

namespace assay::cuda {
namespace {

__global__ void gate_kernel(GateWords* words, std::uint32_t ticket, std::uint64_t timeout_ns) {
  const std::uint64_t start = global_nanoseconds();
  // Tickets are compared by signed distance, so that they may wrap around.
  while (static_cast<std::int32_t>(load_system(&words->opened) - ticket) < 0) {
    if (global_nanoseconds() - start >= timeout_ns) {
      store_system(&words->timed_out, ticket);
      __threadfence_system();
      return;
    }
    __nanosleep(200);
  }
}

__global__ void stamp_kernel(SmStamp* stamps, std::uint32_t slots) {
  if (threadIdx.x != 0) return;
  const std::uint32_t sm = multiprocessor();
  const Clocks now = read_clocks();
  // One 16-byte store: two blocks on one SM leave one of their two stamps, never half of each.
  if (sm < slots) *reinterpret_cast<ulonglong2*>(stamps + sm) = make_ulonglong2(now.cycles, now.nanoseconds);
}

/// Loads of a thread that are under way at once: 128 blocks of 512 threads have 8 MiB in flight, several
/// times what NVLink 5 or C2C moves in a microsecond.
constexpr int loads_in_flight = 8;

__global__ void __launch_bounds__(512, 2)
    stream_load_kernel(const uint4* source, uint4* target, std::size_t count, int passes) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (int pass = 0; pass < passes; ++pass) {
    std::size_t at = first;
    for (; at + (loads_in_flight - 1) * stride < count; at += loads_in_flight * stride) {
      uint4 held[loads_in_flight];
#pragma unroll
      for (int k = 0; k < loads_in_flight; ++k) held[k] = source[at + k * stride];
#pragma unroll
      for (int k = 0; k < loads_in_flight; ++k) target[at + k * stride] = held[k];
    }
    for (; at < count; at += stride) target[at] = source[at];
    asm volatile("" ::: "memory");
  }
}

}  // namespace

cudaError_t kernels_can_run() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, gate_kernel);
}

cudaError_t launch_gate(GateWords* words, std::uint32_t ticket, std::uint64_t timeout_ns,
                        cudaStream_t stream) {
  return launch(gate_kernel, {1, 1}, stream, words, ticket, timeout_ns);
}

cudaError_t launch_stamp(SmStamp* stamps, int slots, int blocks, cudaStream_t stream) {
  return launch(stamp_kernel, {blocks, 32}, stream, stamps, static_cast<std::uint32_t>(slots));
}

cudaError_t launch_stream_load(const void* source, void* target, std::size_t bytes, int passes, int blocks,
                               cudaStream_t stream) {
  return launch(stream_load_kernel, {blocks, 512}, stream, static_cast<const uint4*>(source),
                static_cast<uint4*>(target), bytes / sizeof(uint4), passes);
}

}  // namespace assay::cuda
