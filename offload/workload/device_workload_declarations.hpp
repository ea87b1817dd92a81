// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step's traffic between GPU and host as a plan and a list see it, in builds with and without CUDA.
#pragma once

#include <string_view>
#include <vector>

#include "harness/cuda/device_place.hpp"
#include "offload/cases.hpp"
#include "offload/workload/workload_settings.hpp"

namespace assay::offload {

struct DeclaredDeviceWorkload {
  struct Settings {
    training::HostStep step;
    int node = -1;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.workload";
  static constexpr std::string_view measures = workload_measures;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings) { return workload_work(settings.step); }
  static std::vector<core::Fact> derived(const Settings& settings) { return workload_derived(settings.step); }
};

/// For a build that cannot make it.
std::vector<core::Case> device_workload_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
