// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The instructions of a multiprocessor's bulk copy engine (PTX ISA, cp.async.bulk; compute capability 9.0).
// All are called by one thread; `stage`, aligned to 16 bytes, and `barrier` are in its block's shared memory.
// memory/tests/simulated has a twin of this file for a host.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::memory {

/// Whether the architecture that this pass compiles for has the engine.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool has_bulk_copies = false;
#else
constexpr bool has_bulk_copies = true;
#endif

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// A phase of the barrier is complete when load_async was called once and its bytes are there.
__device__ __forceinline__ void init_barrier(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

/// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Begins to load `bytes`, a multiple of 16, to `stage`.
__device__ __forceinline__ void load_async(unsigned char* stage, const void* source, std::uint32_t bytes,
                                           std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(stage)),
      "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

/// Whether the phase with this parity is complete; the first has 0, the next 1, the next 0. May wait a
/// little.
__device__ __forceinline__ bool phase_is_complete(std::uint64_t* barrier, std::uint32_t parity) {
  std::uint32_t complete;
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(complete)
      : "r"(shared_address(barrier)), "r"(parity)
      : "memory");
  return complete != 0;
}

/// Begins to store `bytes`, a multiple of 16, of `stage`.
__device__ __forceinline__ void store_async(void* target, const unsigned char* stage, std::uint32_t bytes) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(target)),
      "r"(shared_address(stage)), "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Until the stages of all stores but the newest have been read: they may be loaded to again.
__device__ __forceinline__ void wait_until_read_but_newest() {
  asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
}

/// Until all stores have arrived.
__device__ __forceinline__ void wait_until_stored() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

}  // namespace assay::memory
