// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A ring of stages in shared memory: while one stage is stored, the next ones are being loaded. One thread
// drives it.
#include "harness/cuda/device_code.cuh"
#include "memory/cuda/cuda_bulk_copy.hpp"
#include "memory/cuda/cuda_bulk_instructions.cuh"
#include "memory/cuda/cuda_geometry.hpp"

namespace assay::memory {
namespace {

constexpr std::uint32_t stages = 4;
constexpr auto chunk_bytes = static_cast<std::uint32_t>(bulk_chunk_bytes);
constexpr std::uint64_t chunk_quads = chunk_bytes / sizeof(Quad);
static_assert(tile_quads % chunk_quads == 0);
constexpr std::uint64_t longest_wait_ns = 2'000'000'000;

// A load that never arrives ends the kernel with an error instead of a hang.
__device__ __forceinline__ void wait_for_chunk(std::uint64_t* barrier, std::uint32_t parity) {
  if (phase_is_complete(barrier, parity)) return;
  const std::uint64_t start = cuda::global_nanoseconds();
  while (!phase_is_complete(barrier, parity))
    if (cuda::global_nanoseconds() - start > longest_wait_ns) __trap();
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

__device__ __forceinline__ void copy_in_bulk(const StreamLaunch& at) {
  __shared__ std::uint64_t barriers[stages];
  if (threadIdx.x != 0) return;
  for (std::uint64_t& barrier : barriers) init_barrier(&barrier);
  publish_barriers();

  const std::uint64_t chunks = at.count / chunk_quads, all = at.passes * chunks;
  const std::uint64_t mine = blockIdx.x < all ? (all - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
  unsigned char* const ring = cuda::launched_shared_memory();
  Walk sources(chunks), targets(chunks);
  std::uint64_t loaded = 0;
  const auto load_next = [&] {
    const auto stage = static_cast<std::uint32_t>(loaded++ % stages);
    load_async(ring + stage * chunk_bytes, at.a + sources.next_quad(), chunk_bytes, &barriers[stage]);
  };
  while (loaded < mine && loaded < stages - 1) load_next();
  for (std::uint64_t k = 0; k < mine; ++k) {
    const auto stage = static_cast<std::uint32_t>(k % stages);
    wait_for_chunk(&barriers[stage], static_cast<std::uint32_t>(k / stages % 2));
    store_async(at.c + targets.next_quad(), ring + stage * chunk_bytes, chunk_bytes);
    if (loaded == mine) continue;
    wait_until_read_but_newest();  // the stage to fill is the one of chunk k - 1
    load_next();
  }
  wait_until_stored();
}

__global__ void __launch_bounds__(32) bulk_copy_kernel(StreamLaunch at) {
  if constexpr (has_bulk_copies)
    copy_in_bulk(at);
  else
    __trap();  // the case refuses such a GPU
}

constexpr std::size_t ring_bytes = std::size_t{stages} * chunk_bytes;

}  // namespace

cudaError_t launch_bulk_copy(const StreamLaunch& launch, cudaStream_t stream) {
  return cuda::launch(bulk_copy_kernel, {launch.blocks, 32, ring_bytes}, stream, launch);
}

cudaError_t bulk_copy_blocks_per_sm(int& blocks) {
  const cudaError_t status = cudaFuncSetAttribute(
      bulk_copy_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(ring_bytes));
  if (status != cudaSuccess) return status;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bulk_copy_kernel, 32, ring_bytes);
}

}  // namespace assay::memory
