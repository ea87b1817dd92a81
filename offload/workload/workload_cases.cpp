// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "harness/host/available_memory.hpp"
#include "offload/cases.hpp"
#include "offload/pipeline/pace.hpp"
#include "offload/point_axes.hpp"
#include "offload/workload/host_step_replay.hpp"
#include "offload/workload/step_replay_trial.hpp"
#include "offload/workload/workload_settings.hpp"

namespace assay::offload {
namespace {

class WorkloadCase : public StepReplayTrial<HostStepReplay> {
 public:
  using Site = core::OwnClock;
  struct Settings {
    training::HostStep step;
    double cap_gb_per_s = unlimited;
    Site::Place place = {};
  };
  static constexpr std::string_view name = "offload.host.workload";
  static constexpr std::string_view measures = workload_measures;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;

  static std::vector<core::Axis> axes() {
    std::vector<core::Axis> axes = workload_axes({.shrink = 4, .layers = 8, .tokens = 256, .tflops = 4});
    axes.push_back(cap_axis("of each direction: GB/s above 0, or unlimited", {core::Value("unlimited")}));
    return axes;
  }
  static Settings settings(const core::Point& point) {
    return {workload_step(point), parse_cap(point.text("cap_gb_per_s"))};
  }
  static core::Work work(const Settings& settings) { return workload_work(settings.step); }
  static std::vector<core::Fact> derived(const Settings& settings) { return workload_derived(settings.step); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    const StepLayout layout(settings.step);
    return does_not_fit("the near and the far memory of the step", layout.near_bytes() + layout.far_bytes(),
                        host::available_memory_bytes(-1));
  }

  WorkloadCase(const Settings& settings, Site&) : StepReplayTrial(settings.step, settings.cap_gb_per_s) {}

  static std::vector<core::Fact> facts() {
    return {{"host_twin", "a thread copies between two arrays of this host, as a copy engine would"},
            {"compute", "a timer of the stated length, which takes no core"}};
  }
};

}  // namespace

std::vector<core::Case> workload_cases(const Surroundings&) { return {core::case_of<WorkloadCase>()}; }

}  // namespace assay::offload
