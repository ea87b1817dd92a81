// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPUs as the driver's library reports them.
#include <algorithm>

#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {
namespace {

GpuState read_state(const machine::NvmlDevice& device, int index) {
  GpuState gpu;
  gpu.index = index;
  gpu.address = device.pci_address();
  gpu.name = device.name();
  gpu.uuid = device.uuid();
  gpu.serial = device.serial();
  gpu.vbios = device.vbios();
  gpu.ecc_enabled = device.ecc_enabled();
  gpu.mig_enabled = device.mig_enabled();
  gpu.persistence_enabled = device.persistence_enabled();
  gpu.power_limit_w = device.power_limit_w();
  gpu.default_power_limit_w = device.default_power_limit_w();
  gpu.processes = device.compute_processes();
  gpu.sram_threshold_exceeded = device.sram_threshold_exceeded();
  gpu.remapped_rows = device.remapped_rows();
  gpu.recovery_action = device.recovery_action();
  if (const auto fabric = device.fabric()) {
    gpu.fabric_state = fabric->state;
    gpu.fabric_status = fabric->status;
    gpu.fabric_health = fabric->health;
  }
  gpu.clocks_event_reasons = device.clocks_event_reasons();
  gpu.nvlinks = device.nvlinks();
  gpu.c2c_links = device.c2c_links();
  return gpu;
}

std::optional<std::uint64_t> throttle_ns(const std::vector<machine::ThrottleTime>& times,
                                         const std::string& limiter) {
  const auto found = std::find_if(times.begin(), times.end(),
                                  [&](const machine::ThrottleTime& time) { return time.limiter == limiter; });
  return found == times.end() ? std::nullopt : std::optional(found->ns);
}

/// Counters in the order of gpu_counter_names.
std::vector<std::optional<std::uint64_t>> read_counters(const machine::NvmlDevice& device) {
  const machine::EccErrors ecc = device.ecc_errors();
  const auto times = device.throttle_times();
  return {ecc.corrected_volatile,
          ecc.uncorrected_volatile,
          ecc.corrected_aggregate,
          ecc.uncorrected_aggregate,
          device.pcie_replays(),
          throttle_ns(times, "sw_thermal"),
          throttle_ns(times, "hw_thermal"),
          throttle_ns(times, "hw_power_brake")};
}

}  // namespace

const std::vector<std::string> gpu_counter_names{
    "ecc_corrected", "ecc_uncorrected",         "ecc_corrected_lifetime",  "ecc_uncorrected_lifetime",
    "pcie_replays",  "throttled_sw_thermal_ns", "throttled_hw_thermal_ns", "throttled_power_brake_ns"};

GpuReading read_gpus(const machine::Nvml& nvml) {
  GpuReading reading;
  reading.unavailable = nvml.unavailable();
  reading.driver = machine::reported_driver(nvml);
  for (int index = 0; index < nvml.device_count(); ++index) {
    std::string why;
    const auto device = nvml.device(index, &why);
    if (!device) {
      GpuState lost;
      lost.index = index;
      lost.lost = why;
      reading.gpus.push_back(lost);
      continue;
    }
    reading.gpus.push_back(read_state(*device, index));
    const auto values = read_counters(*device);
    for (std::size_t at = 0; at < values.size(); ++at)
      reading.counters.push_back({reading.gpus.back().unit(), gpu_counter_names[at], values[at]});
  }
  return reading;
}

}  // namespace assay::health
