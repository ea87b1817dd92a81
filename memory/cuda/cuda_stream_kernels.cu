// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streaming kernels: 16-byte accesses, four loads in flight per thread, one resident wave of blocks.
#include "harness/cuda/device_code.cuh"
#include "memory/cuda/cuda_accesses.cuh"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/cuda/cuda_stream_kernels.hpp"

namespace assay::memory {
namespace {

__device__ __forceinline__ uint4 load(const Quad* address) {
  return load_past_l1(reinterpret_cast<const uint4*>(address));
}

__device__ __forceinline__ void store(Quad* address, uint4 v) {
  store_past_l1(reinterpret_cast<uint4*>(address), v);
}

__device__ __forceinline__ uint4 to_uint4(Quad q) { return make_uint4(q.x, q.y, q.z, q.w); }

// Calls body(first quad of this thread in the tile) for every tile that is this block's. Passes are one long
// sequence of tiles, so that blocks with one tile more in one pass have one less in another.
template <class Body>
__device__ __forceinline__ void for_each_tile(std::uint64_t count, std::uint64_t passes, Body body) {
  const std::uint64_t tiles = count / tile_quads;
  const std::uint64_t step = gridDim.x % tiles;
  std::uint64_t tile = blockIdx.x % tiles;
  for (std::uint64_t done = blockIdx.x; done < passes * tiles; done += gridDim.x) {
    body(tile * tile_quads + threadIdx.x);
    tile += step;
    if (tile >= tiles) tile -= tiles;
  }
}

// Sums over the block, component by component; valid in thread 0.
__device__ __forceinline__ uint4 block_sum(uint4 v) {
  __shared__ uint4 warps[tile_threads / 32];
  v.x = __reduce_add_sync(~0U, v.x);
  v.y = __reduce_add_sync(~0U, v.y);
  v.z = __reduce_add_sync(~0U, v.z);
  v.w = __reduce_add_sync(~0U, v.w);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  uint4 sum = make_uint4(0, 0, 0, 0);
  if (threadIdx.x == 0)
    for (const uint4& w : warps) sum = make_uint4(sum.x + w.x, sum.y + w.y, sum.z + w.z, sum.w + w.w);
  return sum;
}

__global__ void __launch_bounds__(tile_threads) read_kernel(StreamLaunch at) {
  uint4 sum = make_uint4(0, 0, 0, 0);
  for_each_tile(at.count, at.passes, [&](std::uint64_t i) {
    uint4 v[tile_unroll];
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u) v[u] = load(at.a + i + u * tile_threads);
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u)
      sum = make_uint4(sum.x + v[u].x, sum.y + v[u].y, sum.z + v[u].z, sum.w + v[u].w);
  });
  const uint4 total = block_sum(sum);
  if (threadIdx.x != 0) return;
  Quad& slot = at.sums[blockIdx.x];
  slot = {slot.x + total.x, slot.y + total.y, slot.z + total.z, slot.w + total.w};
}

__global__ void __launch_bounds__(tile_threads) write_kernel(StreamLaunch at) {
  for_each_tile(at.count, at.passes, [&](std::uint64_t i) {
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u)
      store(at.c + i + u * tile_threads, to_uint4(quad_at(at.first + i + u * tile_threads, at.seed)));
  });
}

__global__ void __launch_bounds__(tile_threads) copy_kernel(StreamLaunch at) {
  for_each_tile(at.count, at.passes, [&](std::uint64_t i) {
    uint4 v[tile_unroll];
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u) v[u] = load(at.a + i + u * tile_threads);
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u) store(at.c + i + u * tile_threads, v[u]);
  });
}

__device__ __forceinline__ std::uint32_t triad(std::uint32_t a, std::uint32_t b) {
  return __float_as_uint(__fmaf_rn(triad_scalar, __uint_as_float(b), __uint_as_float(a)));
}

__device__ __forceinline__ uint4 triad(uint4 a, uint4 b) {
  return make_uint4(triad(a.x, b.x), triad(a.y, b.y), triad(a.z, b.z), triad(a.w, b.w));
}

__global__ void __launch_bounds__(tile_threads) triad_kernel(StreamLaunch at) {
  for_each_tile(at.count, at.passes, [&](std::uint64_t i) {
    uint4 a[tile_unroll], b[tile_unroll];
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u) {
      a[u] = load(at.a + i + u * tile_threads);
      b[u] = load(at.b + i + u * tile_threads);
    }
#pragma unroll
    for (int u = 0; u < tile_unroll; ++u) store(at.c + i + u * tile_threads, triad(a[u], b[u]));
  });
}

using StreamFunction = void (*)(StreamLaunch);

StreamFunction function_of(StreamKernel kernel) {
  switch (kernel) {
    case StreamKernel::read:
      return read_kernel;
    case StreamKernel::write:
      return write_kernel;
    case StreamKernel::copy:
      return copy_kernel;
    case StreamKernel::triad:
      return triad_kernel;
  }
  return nullptr;
}

}  // namespace

cudaError_t launch_stream(const StreamLaunch& launch, cudaStream_t stream) {
  return cuda::launch(function_of(launch.kernel), {launch.blocks, tile_threads}, stream, launch);
}

cudaError_t stream_blocks_per_sm(StreamKernel kernel, int& blocks) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_of(kernel), tile_threads, 0);
}

}  // namespace assay::memory
