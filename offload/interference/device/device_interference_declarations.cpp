// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_interference_declarations.hpp"

#include "harness/core/units.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

std::vector<Value> values_of(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

std::vector<Value> numbers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<core::Axis> DeclaredDeviceInterference::axes() {
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

DeclaredDeviceInterference::Settings DeclaredDeviceInterference::settings(const core::Point& point) {
  return {device_contest_settings(point), {cuda::gpu_of(point)}};
}

core::Point DeclaredDeviceInterference::representative(const Settings& settings, core::Point point) {
  if (settings.blocks == 0)
    return point.set("aggressor", Value(to_string(DeviceLoadKind::spin)))
        .set("cap_gb_per_s", Value("unlimited"));
  if (!is_resident(settings.aggressor)) point.set("blocks", Value(std::int64_t{1}));
  return point;
}

std::vector<core::Case> device_interference_declarations_cases(const Surroundings&) {
  return {core::declared_case<DeclaredDeviceInterference>()};
}

}  // namespace assay::offload
