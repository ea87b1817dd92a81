// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/free_device_bytes.hpp"

#include <cuda_runtime_api.h>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::offload {

std::int64_t free_device_bytes(int gpu) {
  if (cuda::context_is_lost()) return 0;
  try {
    const cuda::DeviceGuard guard(gpu);
    std::size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "ask for free device memory");
    return static_cast<std::int64_t>(free);
  } catch (const core::Error&) {
    return 0;  // preparing the point meets the same error, and says it
  }
}

}  // namespace assay::offload
