// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that fill the arrays of the streaming cases from the formula, and check them against it.
#include "harness/cuda/device_code.cuh"
#include "harness/integrity/log_mismatch.cuh"
#include "memory/cuda/cuda_stream_kernels.hpp"

namespace assay::memory {
namespace {

constexpr unsigned threads = 256;

__device__ __forceinline__ std::uint64_t first_of_thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ std::uint64_t stride_of_grid() { return std::uint64_t{gridDim.x} * blockDim.x; }

__device__ __forceinline__ Quad floats_at(std::uint64_t index, std::uint32_t seed) {
  const Quad q = quad_at(index, seed);
  return {__float_as_uint(whole_float(q.x)), __float_as_uint(whole_float(q.y)),
          __float_as_uint(whole_float(q.z)), __float_as_uint(whole_float(q.w))};
}

__device__ __forceinline__ std::uint32_t exact_triad(std::uint32_t a, std::uint32_t b) {
  return __float_as_uint(whole_float(a) + triad_scalar * whole_float(b));
}

struct Quads {
  std::uint32_t seed;
  __device__ Quad operator()(std::uint64_t index) const { return quad_at(index, seed); }
};

struct Floats {
  std::uint32_t seed;
  __device__ Quad operator()(std::uint64_t index) const { return floats_at(index, seed); }
};

struct Triads {
  std::uint32_t seed_a, seed_b;
  __device__ Quad operator()(std::uint64_t index) const {
    const Quad a = quad_at(index, seed_a), b = quad_at(index, seed_b);
    return {exact_triad(a.x, b.x), exact_triad(a.y, b.y), exact_triad(a.z, b.z), exact_triad(a.w, b.w)};
  }
};

struct Bytes {
  std::uint32_t word;
  __device__ Quad operator()(std::uint64_t) const { return {word, word, word, word}; }
};

template <class Formula>
__global__ void fill_kernel(Quad* data, std::uint64_t count, Formula formula) {
  for (std::uint64_t i = first_of_thread(); i < count; i += stride_of_grid()) {
    const Quad q = formula(i);
    reinterpret_cast<uint4*>(data)[i] = make_uint4(q.x, q.y, q.z, q.w);
  }
}

__device__ __forceinline__ std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

__device__ __forceinline__ void compare(std::uint64_t address, std::uint64_t expected, std::uint64_t read,
                                        MismatchLog* log) {
  if (expected != read) log_mismatch(log, address, expected, read);
}

template <class Formula>
__global__ void check_kernel(const Quad* data, std::uint64_t first, std::uint64_t count, Formula formula,
                             MismatchLog* log) {
  for (std::uint64_t i = first_of_thread(); i < count; i += stride_of_grid()) {
    const uint4 read = reinterpret_cast<const uint4*>(data)[i];
    const Quad expected = formula(first + i);
    const std::uint64_t address = (first + i) * sizeof(Quad);
    compare(address, joined(expected.x, expected.y), joined(read.x, read.y), log);
    compare(address + 8, joined(expected.z, expected.w), joined(read.z, read.w), log);
  }
}

__global__ void sum_kernel(Quad* sum, std::uint64_t first, std::uint64_t count, std::uint32_t seed) {
  Quad mine = {0, 0, 0, 0};
  for (std::uint64_t i = first_of_thread(); i < count; i += stride_of_grid()) {
    const Quad q = quad_at(first + i, seed);
    mine = {mine.x + q.x, mine.y + q.y, mine.z + q.z, mine.w + q.w};
  }
  atomicAdd(&sum->x, mine.x);
  atomicAdd(&sum->y, mine.y);
  atomicAdd(&sum->z, mine.z);
  atomicAdd(&sum->w, mine.w);
}

template <class Formula>
cudaError_t check(const Quad* data, std::uint64_t first, std::uint64_t count, Formula formula,
                  MismatchLog* log, int blocks, cudaStream_t stream) {
  return cuda::launch(check_kernel<Formula>, {blocks, threads}, stream, data, first, count, formula, log);
}

}  // namespace

cudaError_t launch_fill(Quad* data, std::uint64_t count, std::uint32_t seed, int blocks,
                        cudaStream_t stream) {
  return cuda::launch(fill_kernel<Quads>, {blocks, threads}, stream, data, count, Quads{seed});
}

cudaError_t launch_fill_floats(Quad* data, std::uint64_t count, std::uint32_t seed, int blocks,
                               cudaStream_t stream) {
  return cuda::launch(fill_kernel<Floats>, {blocks, threads}, stream, data, count, Floats{seed});
}

cudaError_t launch_expected_sum(Quad* sum, std::uint64_t first, std::uint64_t count, std::uint32_t seed,
                                int blocks, cudaStream_t stream) {
  return cuda::launch(sum_kernel, {blocks, threads}, stream, sum, first, count, seed);
}

cudaError_t launch_check_quads(const Quad* data, std::uint64_t first, std::uint64_t count, std::uint32_t seed,
                               MismatchLog* log, int blocks, cudaStream_t stream) {
  return check(data, first, count, Quads{seed}, log, blocks, stream);
}

cudaError_t launch_check_triad(const Quad* data, std::uint64_t first, std::uint64_t count,
                               std::uint32_t seed_a, std::uint32_t seed_b, MismatchLog* log, int blocks,
                               cudaStream_t stream) {
  return check(data, first, count, Triads{seed_a, seed_b}, log, blocks, stream);
}

cudaError_t launch_check_byte(const Quad* data, std::uint64_t first, std::uint64_t count, std::uint8_t byte,
                              MismatchLog* log, int blocks, cudaStream_t stream) {
  return check(data, first, count, Bytes{0x01010101U * byte}, log, blocks, stream);
}

}  // namespace assay::memory
