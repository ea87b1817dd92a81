// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Code shared by the kernels of all modules: how they are launched, clocks, and words that the host or other
// thread blocks change while they run. In tests harness/cuda/tests/simulated has a twin of this file for a
// host.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "harness/core/number_formats.hpp"
#include "harness/cuda/launch_shape.hpp"

namespace assay::cuda {

/// Queues `kernel` on `stream` and returns the status of the launch.
template <class... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
                   std::type_identity_t<Parameters>... arguments) {
  kernel<<<shape.blocks, shape.threads, shape.shared_bytes, stream>>>(arguments...);
  return cudaGetLastError();
}

/// The shared memory that a launch asked for with shared_bytes, aligned to 128 bytes.
__device__ __forceinline__ unsigned char* launched_shared_memory() {
  extern __shared__ __align__(128) unsigned char memory[];
  return memory;
}

__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

struct Clocks {
  std::uint64_t cycles, nanoseconds;  // of this multiprocessor; of the GPU
};

__device__ __forceinline__ Clocks read_clocks() {
  Clocks now;
  asm volatile("mov.u64 %0, %%clock64;\n\tmov.u64 %1, %%globaltimer;"
               : "=l"(now.cycles), "=l"(now.nanoseconds)::"memory");
  return now;
}

/// Below the number of multiprocessors, or above it where some are fused off.
__device__ __forceinline__ std::uint32_t multiprocessor() {
  std::uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

/// Load and store of a word shared with the host.
__device__ __forceinline__ std::uint32_t load_system(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

__device__ __forceinline__ void store_system(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

/// Load and store of a word shared with other thread blocks.
__device__ __forceinline__ std::uint32_t load_device(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

__device__ __forceinline__ void store_device(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

/// The compiler cannot know the value afterwards, so that what led to it is computed.
__device__ __forceinline__ void make_opaque(float& value) { asm volatile("" : "+f"(value)); }

/// Elements as floats and back, rounded to nearest even, by the conversions of the hardware.
__device__ __forceinline__ float widened(float x) { return x; }
__device__ __forceinline__ float widened(core::Bf16 x) {
  return __bfloat162float(__ushort_as_bfloat16(x.bits));
}
__device__ __forceinline__ float widened(core::Fp16 x) { return __half2float(__ushort_as_half(x.bits)); }

__device__ __forceinline__ float widened(core::E4m3 x) {
  return __half2float(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E4M3));
}
__device__ __forceinline__ float widened(core::E5m2 x) {
  return __half2float(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E5M2));
}

__device__ __forceinline__ void narrow(float x, float& into) { into = x; }
__device__ __forceinline__ void narrow(float x, core::Bf16& into) {
  into.bits = __bfloat16_as_ushort(__float2bfloat16_rn(x));
}
__device__ __forceinline__ void narrow(float x, core::Fp16& into) {
  into.bits = __half_as_ushort(__float2half_rn(x));
}
__device__ __forceinline__ void narrow(float x, core::E4m3& into) {
  into.bits = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
__device__ __forceinline__ void narrow(float x, core::E5m2& into) {
  into.bits = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
}

}  // namespace assay::cuda
