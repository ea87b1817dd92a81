// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device_interference_cases.hpp"

#include "harness/core/units.hpp"
#include "harness/cuda/device.hpp"
#include "offload/interference/device_contest_settings.hpp"
#include "offload/interference/device_contest_trial.hpp"
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

std::vector<Axis> axes() {
  const std::vector<std::string> victims = all_device_victims(), loads = all_device_loads();
  return {
      cuda::gpu_axis(),
      {"victim", "what is disturbed", Domain::words, values_of(victims), victims},
      {"aggressor", "what runs beside it", Domain::words, values_of(loads), loads},
      {"blocks", "multiprocessors of a stream, sm_copy or spin; else 1; 0: nobody, a control",
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

core::Work work(const core::Point& point) {
  device_contest_settings(point);
  return {.bytes_counted = "none: a quantum of the victim is what is timed"};
}

/// Nobody is nobody of every kind, and what is queued is no number of thread blocks: it runs or it does not.
core::Point representative(const core::Point& point) {
  const DeviceContestSettings settings = device_contest_settings(point);
  core::Point one = point;
  if (settings.blocks == 0)
    return one.set("aggressor", Value(to_string(DeviceLoadKind::spin)))
        .set("cap_gb_per_s", Value("unlimited"));
  if (!is_resident(settings.aggressor)) one.set("blocks", Value(std::int64_t{1}));
  return one;
}

std::optional<std::string> why_not(const core::Point& point, const machine::Machine& machine) {
  const DeviceContestSettings settings = device_contest_settings(point);
  if (auto why = cuda::device_unavailable(point)) return why;
  if (auto why = missing_node(machine, {settings.loads.node})) return why;
  return cannot_contest(settings, contest_limits(settings, cuda::gpu_of(point)));
}

}  // namespace

std::vector<core::Case> device_interference_cases(const machine::Machine& machine) {
  return {{.name = "offload.cuda.interference",
           .measures =
               "how much slower one kind of GPU work is while others run: products, streams, copies, NCCL",
           .headline = core::Headline::time_us,
           .axes = axes(),
           .work = work,
           .representative = representative,
           .unsupported = [machine](const core::Point& point) { return why_not(point, machine); },
           .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
             return std::make_unique<DeviceContestTrial>(device_contest_settings(point), cuda::gpu_of(point));
           }}};
}

}  // namespace assay::offload
