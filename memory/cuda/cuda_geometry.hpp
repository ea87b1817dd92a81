// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a footprint becomes arrays, tiles, passes, nodes and a grid. Pure arithmetic, no device.
#pragma once

#include <cstdint>

namespace assay::memory {

// The shape of a tile of the streaming kernels, known to the kernels and to the arithmetic around them.
inline constexpr int tile_threads = 512;  // per block
inline constexpr int tile_unroll = 4;     // 16-byte loads in flight per thread
inline constexpr std::uint64_t tile_quads = std::uint64_t{tile_threads} * tile_unroll;

inline constexpr std::int64_t quad_bytes = 16;
/// Bytes that one block moves between two trips around its loop; every array is a whole number of these.
inline constexpr std::int64_t tile_bytes = static_cast<std::int64_t>(tile_quads) * quad_bytes;

/// `footprint` split into `arrays` equal arrays, rounded down to whole tiles. Throws a usage Error where not
/// even one tile each fits.
std::int64_t array_bytes(std::int64_t footprint, int arrays);

/// A node of the pointer chase: one cache line of the L2.
inline constexpr std::int64_t chase_node_bytes = 128;

/// Nodes in a footprint. Throws a usage Error where fewer than two fit.
std::uint64_t chase_nodes(std::int64_t bytes);

/// Times a kernel goes over its footprint in one iteration. cold: once. hot: until 512 MiB went by, so that
/// the launch is a small part of the time even where all comes from the L2.
std::int64_t passes_over(std::int64_t touched_bytes, bool hot);

/// Blocks to launch: as many as are resident at once, never more than there are tiles to be moved in all
/// passes.
int stream_blocks(std::int64_t tiles, int sm_count, int blocks_per_sm);

}  // namespace assay::memory
