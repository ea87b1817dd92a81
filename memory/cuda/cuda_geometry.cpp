// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::memory {

std::int64_t array_bytes(std::int64_t footprint, int arrays) {
  const std::int64_t bytes = footprint / arrays / tile_bytes * tile_bytes;
  if (bytes <= 0)
    core::usage_error(fmt::format("bytes={} is too small for {} arrays: at least {} are needed",
                                  core::format_bytes(footprint), arrays,
                                  core::format_bytes(arrays * tile_bytes)));
  return bytes;
}

std::uint64_t chase_nodes(std::int64_t bytes) {
  const std::int64_t nodes = bytes / chase_node_bytes;
  if (nodes < 2) core::usage_error(fmt::format("bytes={}: a cycle needs at least 256 bytes", bytes));
  return static_cast<std::uint64_t>(nodes);
}

std::int64_t passes_over(std::int64_t touched_bytes, bool hot) {
  if (!hot) return 1;
  constexpr std::int64_t enough = 512 * core::mib;
  return std::max<std::int64_t>(1, (enough + touched_bytes - 1) / touched_bytes);
}

int stream_blocks(std::int64_t tiles, int sm_count, int blocks_per_sm) {
  const std::int64_t resident = std::int64_t{sm_count} * blocks_per_sm;
  return static_cast<int>(std::clamp<std::int64_t>(resident, 1, std::max<std::int64_t>(1, tiles)));
}

}  // namespace assay::memory
