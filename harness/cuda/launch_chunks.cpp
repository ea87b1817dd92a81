// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/launch_chunks.hpp"

#include <algorithm>

namespace assay::cuda {

LaunchChunks launch_chunks(std::int64_t iterations, std::int64_t launches_per_iteration, std::int64_t limit) {
  LaunchChunks chunks;
  if (launches_per_iteration > limit) {
    chunks.gated = false;
    chunks.iterations.push_back(iterations);
    return chunks;
  }
  const std::int64_t most = limit / launches_per_iteration;
  // Chunks of nearly equal size: no short last one whose fixed costs would weigh more.
  const std::int64_t count = (iterations + most - 1) / most;
  for (std::int64_t i = 0; i < count; ++i)
    chunks.iterations.push_back(iterations / count + (i < iterations % count ? 1 : 0));
  return chunks;
}

}  // namespace assay::cuda
