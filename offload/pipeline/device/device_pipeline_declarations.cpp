// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device/device_pipeline_declarations.hpp"

#include "offload/point_axes.hpp"

namespace assay::offload {

DevicePipelineSettings device_pipeline_settings(const core::Point& point) {
  return {step_settings(point), cuda::gpu_of(point), static_cast<int>(within(point, "far", -1, 1 << 20))};
}

std::vector<core::Axis> DeclaredDevicePipeline::axes() {
  using core::Value;
  std::vector<core::Axis> axes =
      step_axes({.models = {Value("gpt3-175b"), Value("llama3-405b"), Value("megatron-1t")},
                 .residents = {std::int64_t{2}, std::int64_t{3}},
                 .caps = {Value("5"), Value("10"), Value("25"), Value("50"), Value("unlimited")},
                 .tp = 8,
                 .tokens = 2048,
                 .blocks = 4});
  axes.push_back(node_axis("far", "NUMA node of the pinned memory that holds all blocks; local: any"));
  axes.push_back(cuda::gpu_axis());
  return axes;
}

DeclaredDevicePipeline::Settings DeclaredDevicePipeline::settings(const core::Point& point) {
  const DevicePipelineSettings settings = device_pipeline_settings(point);
  return {settings, {settings.gpu}};
}

std::vector<core::Case> device_pipeline_declarations_cases(const Surroundings&) {
  return {core::declared_case<DeclaredDevicePipeline>()};
}

}  // namespace assay::offload
