// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A ring of stages in shared memory: while one stage is stored, the next ones are being loaded. One thread
// drives it.
#include "memory/cuda_bulk_copy.hpp"
#include "memory/cuda_stream_tile.hpp"

namespace assay::memory {
namespace {

constexpr std::uint32_t stages = 4;
constexpr auto chunk_bytes = static_cast<std::uint32_t>(bulk_chunk_bytes);
constexpr std::uint64_t chunk_quads = chunk_bytes / sizeof(Quad);
static_assert(tile_quads % chunk_quads == 0);
constexpr std::uint64_t longest_wait_ns = 2'000'000'000;

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// One arrival (this thread's) and `chunk_bytes` of data complete a phase.
__device__ __forceinline__ void init_barrier(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void load_chunk(std::uint32_t stage, const Quad* source, std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(chunk_bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(stage),
      "l"(__cvta_generic_to_global(source)), "r"(chunk_bytes), "r"(barrier)
      : "memory");
}

__device__ __forceinline__ bool phase_is_complete(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t complete;
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(complete)
      : "r"(barrier), "r"(parity)
      : "memory");
  return complete != 0;
}

// A load that never arrives ends the kernel with an error instead of a hang.
__device__ __forceinline__ void wait_for_chunk(std::uint32_t barrier, std::uint32_t parity) {
  if (phase_is_complete(barrier, parity)) return;
  const std::uint64_t start = global_nanoseconds();
  while (!phase_is_complete(barrier, parity))
    if (global_nanoseconds() - start > longest_wait_ns) __trap();
}

__device__ __forceinline__ void store_chunk(Quad* target, std::uint32_t stage) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(target)),
      "r"(stage), "r"(chunk_bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The chunks of this block, over all passes, in order.
struct Walk {
  std::uint64_t chunks, step, chunk;
  __device__ explicit Walk(std::uint64_t count)
      : chunks(count), step(gridDim.x % count), chunk(blockIdx.x % count) {}
  __device__ std::uint64_t next_quad() {
    const std::uint64_t now = chunk;
    chunk += step;
    if (chunk >= chunks) chunk -= chunks;
    return now * chunk_quads;
  }
};

__global__ void __launch_bounds__(32) bulk_copy_kernel(StreamLaunch at) {
  extern __shared__ __align__(128) unsigned char ring[];
  __shared__ alignas(8) std::uint64_t barriers[stages];
  if (threadIdx.x != 0) return;
  for (std::uint64_t& barrier : barriers) init_barrier(shared_address(&barrier));
  // Makes the initialised barriers visible to the copy engine.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");

  const std::uint64_t chunks = at.count / chunk_quads, all = at.passes * chunks;
  const std::uint64_t mine = blockIdx.x < all ? (all - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
  const std::uint32_t first_stage = shared_address(ring);
  Walk sources(chunks), targets(chunks);
  std::uint64_t loaded = 0;
  const auto load_next = [&] {
    const auto stage = static_cast<std::uint32_t>(loaded++ % stages);
    load_chunk(first_stage + stage * chunk_bytes, at.a + sources.next_quad(),
               shared_address(&barriers[stage]));
  };
  while (loaded < mine && loaded < stages - 1) load_next();
  for (std::uint64_t k = 0; k < mine; ++k) {
    const auto stage = static_cast<std::uint32_t>(k % stages);
    wait_for_chunk(shared_address(&barriers[stage]), static_cast<std::uint32_t>(k / stages % 2));
    store_chunk(at.c + targets.next_quad(), first_stage + stage * chunk_bytes);
    if (loaded == mine) continue;
    // The stage to fill is the one of chunk k - 1: its store has read it once at most the newest store is
    // pending.
    asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    load_next();
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

constexpr std::size_t ring_bytes = std::size_t{stages} * chunk_bytes;

}  // namespace

cudaError_t launch_bulk_copy(const StreamLaunch& launch, cudaStream_t stream) {
  bulk_copy_kernel<<<static_cast<unsigned>(launch.blocks), 32, ring_bytes, stream>>>(launch);
  return cudaGetLastError();
}

cudaError_t bulk_copy_blocks_per_sm(int& blocks) {
  const cudaError_t status = cudaFuncSetAttribute(
      bulk_copy_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(ring_bytes));
  if (status != cudaSuccess) return status;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bulk_copy_kernel, 32, ring_bytes);
}

}  // namespace assay::memory
