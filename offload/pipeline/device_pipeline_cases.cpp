// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device_pipeline_cases.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "harness/host/available_memory.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/pipeline/device_pipeline_trial.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Value;

std::vector<core::Axis> device_pipeline_axes() {
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

class DevicePipelineCase : public DevicePipelineTrial {
 public:
  using Site = cuda::GatedSite;
  struct Settings : DevicePipelineSettings {
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.pipeline";
  static constexpr std::string_view measures =
      "transformer blocks fetched from pinned memory and written back while others compute";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes() { return device_pipeline_axes(); }
  static Settings settings(const core::Point& point) {
    const DevicePipelineSettings settings = device_pipeline_settings(point);
    return {settings, {settings.gpu}};
  }
  static core::Work work(const Settings& settings) { return step_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return step_derived(settings); }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    if (auto why = workload::CublasLt::unavailable()) return why;
    return why_no_space(around.machine, settings, free_device_bytes(settings.gpu),
                        host::available_memory_bytes(settings.far_node));
  }
  DevicePipelineCase(const Settings& settings, Site& site) : DevicePipelineTrial(settings, site) {}
};

}  // namespace

std::vector<core::Case> device_pipeline_cases(const Surroundings& around) {
  return {core::case_of<DevicePipelineCase>(around)};
}

}  // namespace assay::offload
