// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The shape of a tile of the streaming kernels, known to the kernels and to the arithmetic around them.
#pragma once

#include <cstdint>

namespace assay::memory {

inline constexpr int tile_threads = 512;  // per block
inline constexpr int tile_unroll = 4;     // 16-byte loads in flight per thread
inline constexpr std::uint64_t tile_quads = std::uint64_t{tile_threads} * tile_unroll;

}  // namespace assay::memory
