// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVML of a pretended node: what changes while its GPUs work.
#include <chrono>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/core/tests/simulated/node.hpp"
#include "harness/machine/nvml/nvml_library.hpp"

using assay::core::simulated::GpuActivity;
using assay::core::simulated::Node;
using assay::machine::NvmlFieldValue;
using assay::machine::NvmlHandle;
using assay::machine::NvmlReturn;
namespace h100 = assay::core::simulated::h100;

namespace {

constexpr std::uint64_t counts_as_working_ns = 500'000'000;
constexpr std::uint64_t energy_step_ns = 100'000'000;

GpuActivity& activity(NvmlHandle device) {
  return Node::shared().activity(static_cast<int>(reinterpret_cast<std::size_t>(device)) - 1);
}

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
}

bool works(NvmlHandle device) {
  const std::uint64_t seen = activity(device).seen_working_ns;
  return seen != 0 && now_ns() < seen + counts_as_working_ns;
}

template <class Number>
int put(Number* into, Number value) {
  *into = value;
  return 0;
}

void say(NvmlFieldValue& field, unsigned long long value) {
  field.result = 0;
  field.type = 3;
  field.value.as_unsigned_long_long = value;
}

unsigned milliwatts(NvmlHandle device) {
  return works(device) ? activity(device).power_mw.load() : static_cast<unsigned>(1000 * h100::idle_power_w);
}

/// The counter stands between its steps, as an H100's does; each step is of the power at whoever asks first.
std::uint64_t energy_uj(NvmlHandle device) {
  GpuActivity& own = activity(device);
  const std::uint64_t step = now_ns() / energy_step_ns * energy_step_ns;
  std::uint64_t until = own.energy_until_ns;
  while (until < step)
    if (own.energy_until_ns.compare_exchange_weak(until, step)) {
      if (until != 0) own.energy_uj += milliwatts(device) * ((step - until) / 1'000'000);
      break;
    }
  return own.energy_uj;
}

bool throttles(NvmlHandle device) {
  return works(device) && activity(device).clock_mhz < h100::loaded_clock_mhz * 0.9;
}

constexpr NvmlReturn not_supported = 3;

void answer_c2c(NvmlFieldValue& field) {
  const int links = Node::shared().faults().c2c_links;
  if (links == 0 ||
      (field.field != assay::machine::nvml_field_c2c_links && field.scope >= static_cast<unsigned>(links))) {
    field.result = not_supported;
    return;
  }
  switch (field.field) {
    case assay::machine::nvml_field_c2c_links:
      return say(field, static_cast<unsigned long long>(links));
    case assay::machine::nvml_field_c2c_active:
      return say(field, 1);
    case assay::machine::nvml_field_c2c_mb_per_s:
      return say(field, h100::c2c_mb_per_s);
    default:
      return say(field, 0);  // errors
  }
}

void answer(NvmlHandle device, NvmlFieldValue& field) {
  switch (field.field) {
    case assay::machine::nvml_field_c2c_links:
    case assay::machine::nvml_field_c2c_active:
    case assay::machine::nvml_field_c2c_mb_per_s:
    case assay::machine::nvml_field_c2c_crc_errors:
    case assay::machine::nvml_field_c2c_replays:
    case assay::machine::nvml_field_c2c_repeated_replays:
      return answer_c2c(field);
    case assay::machine::nvml_field_power_instant:
      return say(field, milliwatts(device));
    case assay::machine::nvml_field_sw_thermal:
      return say(field, activity(device).throttled_ns);
    case assay::machine::nvml_field_hw_thermal:
    case assay::machine::nvml_field_hw_power_brake:
    case assay::machine::nvml_field_recovery_action:
    case assay::machine::nvml_field_nvlink_sent_kib:
    case assay::machine::nvml_field_nvlink_replays:
    case assay::machine::nvml_field_nvlink_recoveries:
    case assay::machine::nvml_field_nvlink_crc_errors:
      return say(field, 0);
    default:
      field.result = not_supported;
  }
}

}  // namespace

extern "C" {

int nvmlDeviceGetClockInfo(NvmlHandle device, int clock, unsigned* value) {
  if (clock != 1) return put(value, h100::memory_clock_mhz);
  return put(value,
             works(device) ? activity(device).clock_mhz.load() : static_cast<unsigned>(h100::idle_clock_mhz));
}
int nvmlDeviceGetPowerUsage(NvmlHandle device, unsigned* value) { return put(value, milliwatts(device)); }
int nvmlDeviceGetTotalEnergyConsumption(NvmlHandle device, unsigned long long* millijoules) {
  return put(millijoules, static_cast<unsigned long long>(energy_uj(device) / 1000));
}
int nvmlDeviceGetTemperature(NvmlHandle device, int, unsigned* celsius) {
  return put(celsius, works(device) ? activity(device).celsius.load() : static_cast<unsigned>(h100::idle_c));
}
int nvmlDeviceGetCurrentClocksEventReasons(NvmlHandle device, unsigned long long* reasons) {
  if (throttles(device)) return put(reasons, 0x20ULL);   // software thermal slowdown
  return put(reasons, works(device) ? 0x4ULL : 0x1ULL);  // power cap, idle
}
int nvmlDeviceGetFieldValues(NvmlHandle device, int count, NvmlFieldValue* fields) {
  for (int at = 0; at < count; ++at) answer(device, fields[at]);
  return 0;
}

}  // extern "C"
