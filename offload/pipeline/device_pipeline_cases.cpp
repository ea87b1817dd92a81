// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device_pipeline_cases.hpp"

#include <memory>

#include "harness/host/available_memory.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/pipeline/device_pipeline_trial.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Value;

std::vector<core::Axis> axes() {
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

std::optional<std::string> why_not(const machine::Machine& machine, const core::Point& point) {
  const DevicePipelineSettings settings = device_pipeline_settings(point);  // bad words are errors anywhere
  if (auto why = cuda::device_unavailable(point)) return why;
  if (auto why = workload::CublasLt::unavailable()) return why;
  return why_no_space(machine, settings, free_device_bytes(settings.gpu),
                      host::available_memory_bytes(settings.far_node));
}

}  // namespace

std::vector<core::Case> device_pipeline_cases(const machine::Machine& machine) {
  return {{.name = "offload.cuda.pipeline",
           .measures = "transformer blocks fetched from pinned memory and written back while others compute",
           .headline = core::Headline::time_us,
           .axes = axes(),
           .work = step_work,
           .derived = step_derived,
           .unsupported = [machine](const core::Point& point) { return why_not(machine, point); },
           .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
             return std::make_unique<DevicePipelineTrial>(device_pipeline_settings(point));
           }}};
}

}  // namespace assay::offload
