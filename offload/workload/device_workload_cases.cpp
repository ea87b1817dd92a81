// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/device_site.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"
#include "offload/workload/device_step_replay.hpp"
#include "offload/workload/device_workload_declarations.hpp"
#include "offload/workload/step_replay_trial.hpp"

namespace assay::offload {
namespace {

class DeviceWorkloadCase : public DeclaredDeviceWorkload, public StepReplayTrial<DeviceStepReplay> {
 public:
  using Site = cuda::GatedSite;
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
