// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/cuda/device_code.cuh"
#include "offload/interference/device/load_kernels.hpp"
#include "offload/interference/device/tile_work.cuh"
#include "offload/interference/load_formula.hpp"

namespace assay::offload {
namespace {

constexpr int fill_threads = 256;

unsigned fill_blocks(std::int64_t count) {
  return static_cast<unsigned>(
      std::min<std::int64_t>((count + fill_threads - 1) / fill_threads, std::int64_t{1} << 16));
}

__device__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t all_threads() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

__global__ void fill_operand_kernel(std::uint16_t* target, std::int64_t count, std::uint64_t seed) {
  for (std::int64_t i = first_index(); i < count; i += all_threads())
    target[i] = bf16_bits(operand_value(seed, static_cast<std::uint64_t>(i)));
}

__global__ void fill_triad_kernel(TriadArrays arrays, std::int64_t count) {
  for (std::int64_t i = first_index(); i < count; i += all_threads()) {
    arrays.a[i] = triad_a(static_cast<std::uint64_t>(i));
    arrays.b[i] = triad_b(static_cast<std::uint64_t>(i));
    arrays.c[i] = __uint_as_float(0xffffffffU);
  }
}

__global__ void __launch_bounds__(tile_threads) triad_kernel(TriadArrays arrays) {
  triad_tile(reinterpret_cast<const float4*>(arrays.a), reinterpret_cast<const float4*>(arrays.b),
             reinterpret_cast<float4*>(arrays.c), blockIdx.x);
}

}  // namespace

cudaError_t launch_fill_operand(std::uint16_t* target, std::int64_t count, std::uint64_t seed,
                                cudaStream_t stream) {
  return cuda::launch(fill_operand_kernel, {fill_blocks(count), fill_threads}, stream, target, count, seed);
}

cudaError_t launch_fill_triad(const TriadArrays& arrays, cudaStream_t stream) {
  const std::int64_t count = static_cast<std::int64_t>(arrays.tiles) * tile_floats;
  return cuda::launch(fill_triad_kernel, {fill_blocks(count), fill_threads}, stream, arrays, count);
}

cudaError_t launch_triad(const TriadArrays& arrays, cudaStream_t stream) {
  return cuda::launch(triad_kernel, {static_cast<std::int64_t>(arrays.tiles), tile_threads}, stream, arrays);
}

}  // namespace assay::offload
