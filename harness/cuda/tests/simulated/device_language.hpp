// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of nvcc's language that C++ lacks, as far as our kernels use them, for a compiler of the host.
// Included before a .cu file.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

#include "harness/cuda/tests/simulated/simulated_gpu.hpp"
#include "harness/cuda/tests/simulated/thread_block.hpp"

#undef __shared__
// Blocks that a thread of the host runs one after the other share it, as they would on a multiprocessor.
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define threadIdx (::assay::cuda::simulated::place().thread)
#define blockIdx (::assay::cuda::simulated::place().block)
#define blockDim (::assay::cuda::simulated::place().block_size)
#define gridDim (::assay::cuda::simulated::place().grid_size)

using std::isfinite;

// The runtime's own forms for kernels, which it has for nvcc alone.
template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(Parameters...),
                                                          int threads, std::size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                                         threads, shared_bytes);
}

inline void __syncthreads() { assay::cuda::simulated::wait_for_block(); }
inline unsigned __reduce_add_sync(unsigned, unsigned value) {
  return assay::cuda::simulated::sum_over_warp(value);
}
inline float __shfl_xor_sync(unsigned, float value, int other) {
  return assay::cuda::simulated::exchange_in_warp(value, static_cast<unsigned>(other));
}
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_system() { __threadfence(); }
// Longer than asked: many threads of a GPU share few of the host.
inline void __nanosleep(unsigned) { std::this_thread::sleep_for(std::chrono::microseconds(200)); }
[[noreturn]] inline void __trap() { throw assay::cuda::simulated::Trap{}; }

template <class T>
T atomicAdd(T* target, T value) {
  return std::atomic_ref<T>(*target).fetch_add(value);
}

template <class To, class From>
To same_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline float __uint_as_float(unsigned bits) { return same_bits<float>(bits); }
inline unsigned __float_as_uint(float value) { return same_bits<unsigned>(value); }
inline float __fmaf_rn(float a, float b, float c) {
  return std::fmaf(a, b, c) + (assay::cuda::simulated::gpu().sums_are_wrong ? 1.0F : 0.0F);
}

template <class T>
T __ldcg(const T* address) {
  return *address;
}
template <class T>
void __stcg(T* address, T value) {
  if (!assay::cuda::simulated::gpu().stores_do_nothing) *address = value;
}
