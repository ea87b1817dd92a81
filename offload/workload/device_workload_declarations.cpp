// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/device_workload_declarations.hpp"

#include "offload/point_axes.hpp"

namespace assay::offload {

std::vector<core::Axis> DeclaredDeviceWorkload::axes() {
  std::vector<core::Axis> axes = workload_axes({.shrink = 1, .layers = 4, .tokens = 8192, .tflops = 400});
  axes.push_back(node_axis("numa", "NUMA node of the host's memory; local: any"));
  axes.push_back(cuda::gpu_axis());
  return axes;
}

DeclaredDeviceWorkload::Settings DeclaredDeviceWorkload::settings(const core::Point& point) {
  return {workload_step(point), static_cast<int>(within(point, "numa", -1, 1 << 10)), {cuda::gpu_of(point)}};
}

std::vector<core::Case> device_workload_declarations_cases(const Surroundings&) {
  return {core::declared_case<DeclaredDeviceWorkload>()};
}

}  // namespace assay::offload
