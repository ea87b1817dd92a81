// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many iterations fit behind a closed gate: the launch queue holds about a thousand entries, and a host
// that blocks on a full queue while the gate is closed would wait for itself.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::cuda {

/// Half of the documented depth is left for events, stamps and memsets that a launch may bring along.
inline constexpr std::int64_t gated_launch_limit = 512;

struct LaunchChunks {
  std::vector<std::int64_t> iterations;  // per chunk; sums to what was asked
  bool gated = true;  // false: one iteration alone exceeds the limit, so launch gaps are part of its time
};

/// `iterations` and `launches_per_iteration` are positive.
LaunchChunks launch_chunks(std::int64_t iterations, std::int64_t launches_per_iteration,
                           std::int64_t limit = gated_launch_limit);

}  // namespace assay::cuda
