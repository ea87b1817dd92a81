// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of the memory pattern test.
#include "harness/cuda/device_code.cuh"
#include "harness/integrity/log_mismatch.cuh"
#include "memory/cuda/cuda_accesses.cuh"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda_pattern/cuda_pattern_kernels.hpp"

namespace assay::memory {
namespace {

constexpr unsigned threads = 512;

__device__ __forceinline__ Words pattern_at(const std::uint64_t* address, std::uint64_t seed) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  return {pattern_word(number, seed), pattern_word(number + 8, seed)};
}

__device__ __forceinline__ void compare(const std::uint64_t* address, Words expected, Words read,
                                        MismatchLog* log) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  if (read.low != expected.low) log_mismatch(log, number, expected.low, read.low);
  if (read.high != expected.high) log_mismatch(log, number + 8, expected.high, read.high);
}

// Calls body(address of two words) over the piece, neighbouring threads on neighbouring addresses.
template <class Body>
__device__ __forceinline__ void for_each_pair(PatternPiece piece, bool downwards, Body body) {
  const std::uint64_t pairs = piece.words / 2;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pairs; i += stride)
    body(piece.data + 2 * (downwards ? pairs - 1 - i : i));
}

__global__ void __launch_bounds__(threads) fill_kernel(PatternPiece piece, std::uint64_t seed) {
  for_each_pair(piece, false,
                [=](std::uint64_t* address) { store_words_past_l1(address, pattern_at(address, seed)); });
}

__global__ void __launch_bounds__(threads)
    invert_kernel(PatternPiece piece, std::uint64_t seed, MismatchLog* log) {
  for_each_pair(piece, false, [=](std::uint64_t* address) {
    const Words expected = pattern_at(address, seed);
    compare(address, expected, load_words_past_l1(address), log);
    store_words_past_l1(address, {~expected.low, ~expected.high});
  });
}

__global__ void __launch_bounds__(threads)
    verify_kernel(PatternPiece piece, std::uint64_t seed, MismatchLog* log) {
  for_each_pair(piece, true, [=](std::uint64_t* address) {
    const Words expected = pattern_at(address, seed);
    compare(address, {~expected.low, ~expected.high}, load_words_past_l1(address), log);
  });
}

__global__ void fault_kernel(std::uint64_t* word, std::uint64_t bits) { *word ^= bits; }

}  // namespace

cudaError_t launch_pattern_fill(PatternPiece piece, std::uint64_t seed, int blocks, cudaStream_t stream) {
  return cuda::launch(fill_kernel, {blocks, threads}, stream, piece, seed);
}

cudaError_t launch_pattern_invert(PatternPiece piece, std::uint64_t seed, MismatchLog* log, int blocks,
                                  cudaStream_t stream) {
  return cuda::launch(invert_kernel, {blocks, threads}, stream, piece, seed, log);
}

cudaError_t launch_pattern_verify(PatternPiece piece, std::uint64_t seed, MismatchLog* log, int blocks,
                                  cudaStream_t stream) {
  return cuda::launch(verify_kernel, {blocks, threads}, stream, piece, seed, log);
}

cudaError_t launch_pattern_fault(std::uint64_t* word, std::uint64_t bits, cudaStream_t stream) {
  return cuda::launch(fault_kernel, {1, 1}, stream, word, bits);
}

}  // namespace assay::memory
