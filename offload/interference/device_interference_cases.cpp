// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The interference matrix on a GPU.
#include <string_view>

#include "harness/core/units.hpp"
#include "harness/cuda/device.hpp"
#include "offload/cases.hpp"
#include "offload/interference/device_contest.hpp"
#include "offload/interference/device_contest_metrics.hpp"
#include "offload/interference/device_contest_settings.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

std::vector<Value> values_of(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

std::vector<Value> numbers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

std::vector<Axis> device_contest_axes() {
  const std::vector<std::string> victims = all_device_victims(), loads = all_device_loads();
  return {
      cuda::gpu_axis(),
      {"victim", "what is disturbed", Domain::words, values_of(victims), victims},
      {"aggressor", "what runs at the same time", Domain::words, values_of(loads), loads},
      {"blocks", "multiprocessors of a stream, sm_copy or spin; else 1; 0: no load, a control",
       Domain::integers, numbers({0, 1, 2, 4, 8, 16, 24, 32})},
      cap_axis("of a copy by engine: GB/s above 0, or unlimited", {Value("unlimited")}),
      {"bytes",
       "arrays of a stream together; what a copy copies; a message of nccl",
       Domain::sizes,
       {192 * core::mib}},
      {"m", "rows of a product's result", Domain::integers, numbers({8192})},
      {"n", "columns of a product's result; 0: as m", Domain::integers, numbers({0})},
      {"k", "length of a product's sums; 0: as m", Domain::integers, numbers({0})},
      {"numa", "NUMA node of the host's memory; -1: any", Domain::integers, numbers({-1})},
      {"victim_blocks", "thread blocks of an sm_copy that is the victim", Domain::integers, numbers({32})},
      {"round_ms", "how long each of the three times lasts, at least", Domain::integers, numbers({20})}};
}

class DeviceInterferenceCase {
 public:
  using Site = cuda::GatedSite;
  struct Settings : DeviceContestSettings {
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.interference";
  static constexpr std::string_view measures =
      "how much slower one kind of GPU work is while others run: products, streams, copies, NCCL";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<Axis> axes() { return device_contest_axes(); }
  static Settings settings(const core::Point& point) {
    return {device_contest_settings(point), {cuda::gpu_of(point)}};
  }
  static core::Work work(const Settings&) {
    return {.bytes_counted = "none: a quantum of the victim is what is timed"};
  }
  /// Without load every kind is the same, and what is queued has no number of thread blocks: it runs or it
  /// does not.
  static core::Point representative(const Settings& settings, core::Point point) {
    if (settings.blocks == 0)
      return point.set("aggressor", Value(to_string(DeviceLoadKind::spin)))
          .set("cap_gb_per_s", Value("unlimited"));
    if (!is_resident(settings.aggressor)) point.set("blocks", Value(std::int64_t{1}));
    return point;
  }
  static std::optional<std::string> impossible(const Settings& settings) { return cannot_meet(settings); }
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
