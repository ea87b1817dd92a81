// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Launches of the streaming kernels and of the kernels that fill and check their arrays. All counts are in
// units of 16 bytes; every launch returns the launch's status.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "memory/cuda/cuda_formula.hpp"

namespace assay::memory {

enum class StreamKernel { read, write, copy, triad };

/// One launch: `passes` times over `count` quads (a multiple of the tile, not zero).
struct StreamLaunch {
  StreamKernel kernel = StreamKernel::read;
  const Quad* a = nullptr;  // read, copy, triad
  const Quad* b = nullptr;  // triad
  Quad* c = nullptr;        // write, copy, triad
  Quad* sums =
      nullptr;  // read: one slot per block, to which the block adds what it read, component by component
  std::uint64_t count = 0;
  std::uint64_t passes = 1;
  std::uint64_t first = 0;  // write: position of the first quad in the formula
  std::uint32_t seed = 0;   // write: seed of the formula
  int blocks = 1;
};
cudaError_t launch_stream(const StreamLaunch& launch, cudaStream_t stream);

/// Resident blocks of this kernel on one SM of the current device.
cudaError_t stream_blocks_per_sm(StreamKernel kernel, int& blocks);

/// data[i] = quad_at(i, seed).
cudaError_t launch_fill(Quad* data, std::uint64_t count, std::uint32_t seed, int blocks, cudaStream_t stream);
/// Four whole floats per quad, from the same formula.
cudaError_t launch_fill_floats(Quad* data, std::uint64_t count, std::uint32_t seed, int blocks,
                               cudaStream_t stream);

/// sum += components of quad_at(first + i, seed) for i < count, each modulo 2^32, without reading memory.
cudaError_t launch_expected_sum(Quad* sum, std::uint64_t first, std::uint64_t count, std::uint32_t seed,
                                int blocks, cudaStream_t stream);

/// Logs every 8-byte word of data[0, count) that is not quad_at(first + i, seed); addresses are byte offsets
/// from the start of the formula.
cudaError_t launch_check_quads(const Quad* data, std::uint64_t first, std::uint64_t count, std::uint32_t seed,
                               MismatchLog* log, int blocks, cudaStream_t stream);
/// Checks triad as launch_check_quads() does: a + 3 b of the whole floats under the two seeds.
cudaError_t launch_check_triad(const Quad* data, std::uint64_t first, std::uint64_t count,
                               std::uint32_t seed_a, std::uint32_t seed_b, MismatchLog* log, int blocks,
                               cudaStream_t stream);
/// Checks memory set to one byte value, as launch_check_quads() does.
cudaError_t launch_check_byte(const Quad* data, std::uint64_t first, std::uint64_t count, std::uint8_t byte,
                              MismatchLog* log, int blocks, cudaStream_t stream);

}  // namespace assay::memory
