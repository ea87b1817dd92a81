// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device_settings.hpp"

#include <fmt/core.h>

#include "harness/cuda/device.hpp"
#include "harness/workload/lt_matmul.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

DevicePipelineSettings device_pipeline_settings(const core::Point& point) {
  return {step_settings(point), cuda::gpu_of(point), static_cast<int>(within(point, "far", -1, 1 << 20))};
}

std::int64_t device_bytes(const DevicePipelineSettings& settings) {
  return settings.layout().near_bytes() + static_cast<std::int64_t>(workload::lt_workspace_bytes);
}

std::optional<std::string> why_no_space(const machine::Machine& machine,
                                        const DevicePipelineSettings& settings,
                                        std::int64_t available_on_device, std::int64_t available_on_host) {
  if (auto why = missing_node(machine, {settings.far_node})) return why;
  const std::string slots = fmt::format("the device memory of {} resident blocks", settings.shape.resident);
  if (auto why = does_not_fit(slots, device_bytes(settings), available_on_device)) return why;
  return does_not_fit("the pinned memory of all blocks", settings.layout().far_bytes(), available_on_host);
}

}  // namespace assay::offload
