// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "harness/cuda/device_site.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/cases.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"
#include "offload/workload/device_step_replay.hpp"
#include "offload/workload/step_replay_trial.hpp"
#include "offload/workload/workload_settings.hpp"

namespace assay::offload {
namespace {

class DeviceWorkloadCase : public StepReplayTrial<DeviceStepReplay> {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    training::HostStep step;
    int node = -1;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.workload";
  static constexpr std::string_view measures = workload_measures;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;

  static std::vector<core::Axis> axes() {
    std::vector<core::Axis> axes = workload_axes({.shrink = 1, .layers = 4, .tokens = 8192, .tflops = 400});
    axes.push_back(node_axis("numa", "NUMA node of the host's memory; local: any"));
    axes.push_back(cuda::gpu_axis());
    return axes;
  }
  static Settings settings(const core::Point& point) {
    return {
        workload_step(point), static_cast<int>(within(point, "numa", -1, 1 << 10)), {cuda::gpu_of(point)}};
  }
  static core::Work work(const Settings& settings) { return workload_work(settings.step); }
  static std::vector<core::Fact> derived(const Settings& settings) { return workload_derived(settings.step); }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    if (auto why = missing_node(around.machine, {settings.node})) return why;
    const StepLayout layout(settings.step);
    if (auto why = does_not_fit("the GPU's part of the step", layout.near_bytes(),
                                free_device_bytes(settings.place.gpu)))
      return why;
    // Its image is made in ordinary memory as well.
    return does_not_fit("the host's part of the step", layout.near_bytes() + layout.far_bytes(),
                        host::available_memory_bytes(settings.node));
  }

  DeviceWorkloadCase(const Settings& settings, Site&)
      : StepReplayTrial(settings.step, settings.place.gpu, settings.node) {}

  static std::vector<core::Fact> facts() {
    return {{"compute", "a timer of the stated length: no kernel competes with the copies"}};
  }
};

}  // namespace

std::vector<core::Case> device_workload_cases(const Surroundings& around) {
  return {core::case_of<DeviceWorkloadCase>(around)};
}

}  // namespace assay::offload
