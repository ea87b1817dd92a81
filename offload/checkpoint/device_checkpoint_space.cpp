// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/device_checkpoint_space.hpp"

#include <fmt/core.h>

#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/checkpoint/device_gemm_steps.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

DeviceCheckpointSize device_checkpoint_size(const core::Point& point) {
  const std::int64_t n = within(point, "gemm_n", 16, 1 << 16);
  if (n % 16 != 0) core::usage_error(fmt::format("gemm_n={}: expected a multiple of 16", n));
  return {.bytes = checkpoint_bytes(point),
          .gemm_n = n,
          .gpu = cuda::gpu_of(point),
          .node = static_cast<int>(within(point, "numa", -1, 1 << 20))};
}

std::optional<std::string> why_no_space(const machine::Machine& machine, const DeviceCheckpointSize& size,
                                        std::int64_t available_on_device, std::int64_t available_on_host) {
  if (auto why = missing_node(machine, {size.node})) return why;
  if (auto why = does_not_fit("the device memory of the state and of the products next to it",
                              size.bytes + device_gemm_bytes(size.gemm_n), available_on_device))
    return why;
  // Once page-locked for the snapshot, and once more to compare what was restored.
  return does_not_fit("the host memory of the snapshot and of its check", 2 * size.bytes, available_on_host);
}

}  // namespace assay::offload
