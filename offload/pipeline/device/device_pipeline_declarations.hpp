// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU as a plan and a list see it, in builds with and without CUDA.
#pragma once

#include <string_view>
#include <vector>

#include "harness/cuda/device_place.hpp"
#include "offload/cases.hpp"
#include "offload/pipeline/step_settings.hpp"

namespace assay::offload {

struct DevicePipelineSettings : StepSettings {
  int gpu = 0;
  int far_node = -1;
};

/// Throws a usage Error naming axis and value.
DevicePipelineSettings device_pipeline_settings(const core::Point& point);

struct DeclaredDevicePipeline {
  struct Settings : DevicePipelineSettings {
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.pipeline";
  static constexpr std::string_view measures =
      "transformer blocks fetched from pinned memory and written back while others compute";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings) { return step_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return step_derived(settings); }
};

/// For a build that cannot make it.
std::vector<core::Case> device_pipeline_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
