// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The interference matrix on a GPU.
#include "harness/cuda/timing/device_site.hpp"
#include "offload/interference/device/device_contest.hpp"
#include "offload/interference/device/device_contest_limits.hpp"
#include "offload/interference/device/device_contest_metrics.hpp"
#include "offload/interference/device/device_interference_declarations.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

class DeviceInterferenceCase : public DeclaredDeviceInterference {
 public:
  using Site = cuda::GatedSite;
  static std::optional<std::string> not_built(const Settings& settings) {
    return settings.has(DeviceLoadKind::nccl) ? nccl_not_built() : std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    if (auto why = missing_node(around.machine, {settings.loads.node})) return why;
    return cannot_contest(settings, contest_limits(settings, settings.place.gpu));
  }
  DeviceInterferenceCase(const Settings& settings, Site& site)
      : settings_(settings), contest_(settings, site) {}

  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      times_.push_back(contest_.run());
      timing.each_s.push_back(times_.back().times.beside_s);
      timing.seconds += times_.back().times.beside_s * static_cast<double>(contest_.quanta());
    }
    return timing;
  }
  core::Verification check() { return contest_.verify(); }
  void sampling_begins() {
    times_.clear();
    contest_.forget_ran_dry();
  }
  std::vector<core::Metric> metrics(const core::Measurement&) const {
    const DeviceLoad& victim = contest_.victim();
    return device_contest_metrics(
        times_, {.quantum_bytes = victim.quantum_bytes(),
                 .quantum_flops = victim.quantum_flops(),
                 .blocks_of_work = victim.blocks_of_work(),
                 .sm_count = contest_.site().device.sm_count,
                 .taken = settings_.is_taking_known() ? std::optional(settings_.taken()) : std::nullopt});
  }
  std::vector<core::Fact> facts() const { return contest_.facts(); }

 private:
  DeviceContestSettings settings_;
  DeviceContest contest_;
  std::vector<DeviceContestTimes> times_;
};

}  // namespace

std::vector<core::Case> device_interference_cases(const Surroundings& around) {
  return {core::case_of<DeviceInterferenceCase>(around)};
}

}  // namespace assay::offload
