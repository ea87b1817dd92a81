// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The work of a block of tile_threads threads on one tile, past the L1, where a tile never finds anything.
#pragma once

#include <cstdint>

#include "offload/interference/device/tile.hpp"

namespace assay::offload {

/// Index of this thread's first 16 bytes of a tile, in units of 16 bytes.
__device__ __forceinline__ std::uint64_t first_of_thread(std::uint64_t tile) {
  return tile * (tile_threads * tile_unroll) + threadIdx.x;
}

__device__ __forceinline__ void copy_tile(const uint4* from, uint4* to, std::uint64_t tile) {
  const std::uint64_t first = first_of_thread(tile);
  uint4 values[tile_unroll];
#pragma unroll
  for (int u = 0; u < tile_unroll; ++u) values[u] = __ldcg(from + first + u * tile_threads);
#pragma unroll
  for (int u = 0; u < tile_unroll; ++u) __stcg(to + first + u * tile_threads, values[u]);
}

__device__ __forceinline__ float4 a_plus_3b(float4 a, float4 b) {
  return make_float4(__fmaf_rn(3.0F, b.x, a.x), __fmaf_rn(3.0F, b.y, a.y), __fmaf_rn(3.0F, b.z, a.z),
                     __fmaf_rn(3.0F, b.w, a.w));
}

__device__ __forceinline__ void triad_tile(const float4* a, const float4* b, float4* c, std::uint64_t tile) {
  const std::uint64_t first = first_of_thread(tile);
  float4 left[tile_unroll], right[tile_unroll];
#pragma unroll
  for (int u = 0; u < tile_unroll; ++u) {
    left[u] = __ldcg(a + first + u * tile_threads);
    right[u] = __ldcg(b + first + u * tile_threads);
  }
#pragma unroll
  for (int u = 0; u < tile_unroll; ++u) __stcg(c + first + u * tile_threads, a_plus_3b(left[u], right[u]));
}

}  // namespace assay::offload
