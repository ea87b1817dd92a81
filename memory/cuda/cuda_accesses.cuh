// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads and stores of global memory that say which cache may answer. memory/tests/simulated has a twin of
// this file for a host.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::memory {

/// Past the L1, which would otherwise answer for small footprints and be measured instead of the L2.
__device__ __forceinline__ uint4 load_past_l1(const uint4* address) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

__device__ __forceinline__ void store_past_l1(uint4* address, uint4 v) {
  asm volatile("st.global.cg.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

struct Words {
  std::uint64_t low, high;
};

/// Both words of 16 aligned bytes, in program order with other loads and stores of this thread.
__device__ __forceinline__ Words load_words_past_l1(const std::uint64_t* address) {
  Words words;
  asm volatile("ld.global.cg.v2.u64 {%0, %1}, [%2];"
               : "=l"(words.low), "=l"(words.high)
               : "l"(address)
               : "memory");
  return words;
}

__device__ __forceinline__ void store_words_past_l1(std::uint64_t* address, Words words) {
  asm volatile("st.global.cg.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(words.low), "l"(words.high)
               : "memory");
}

/// Plain loads and stores; a simulated GPU counts what they move.
template <class T>
__device__ __forceinline__ T load_counted(const T* address) {
  return *address;
}
template <class T>
__device__ __forceinline__ void store_counted(T* address, const T& value) {
  *address = value;
}

/// Through the L1, so that the smallest footprints show it.
template <class T>
__device__ __forceinline__ T* load_through_l1(T* const* address) {
  T* value;
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

}  // namespace assay::memory
