// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The piece of an array that one thread block works on at a time, 16 bytes a thread, four of them in flight;
// and how many blocks may stay at once.
#pragma once

#include <cstdint>

namespace assay::offload {

inline constexpr int tile_threads = 1024, tile_unroll = 4;
inline constexpr std::int64_t tile_bytes = std::int64_t{16} * tile_threads * tile_unroll;
inline constexpr std::int64_t tile_floats = tile_bytes / 4;

inline constexpr int most_resident_blocks = 256;

}  // namespace assay::offload
