// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVML as a source of telemetry.
#include <chrono>
#include <utility>

#include "harness/core/seconds_since.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/machine/nvml/nvml.hpp"

namespace assay::cuda {
namespace {

std::optional<std::int64_t> count_of(const std::optional<std::uint64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<double> joules(const std::optional<std::uint64_t>& millijoules) {
  if (!millijoules) return std::nullopt;
  return 1e-3 * static_cast<double>(*millijoules);
}

class NvmlTelemetry final : public TelemetrySource {
 public:
  explicit NvmlTelemetry(machine::NvmlDevice device) : device_(std::move(device)) {}

  TelemetryReading read() override {
    const machine::Telemetry told = device_.telemetry();
    return {.at_s = core::steady_seconds(),
            .energy_j = joules(told.energy_mj),
            .sm_clock_mhz = told.sm_clock_mhz,
            .memory_clock_mhz = told.memory_clock_mhz,
            .power_w = told.power_w,
            .temperature_c = told.temperature_c,
            .memory_temperature_c = device_.memory_temperature_c(),
            .throttle_reasons = told.clocks_event_reasons};
  }

  TelemetryCounters count() override {
    TelemetryCounters counters;
    counters.at_s = core::steady_seconds();
    counters.pcie_replays = count_of(device_.pcie_replays());
    const machine::EccErrors errors = device_.ecc_errors();
    counters.ecc_corrected = count_of(errors.corrected_volatile);
    counters.ecc_uncorrected = count_of(errors.uncorrected_volatile);
    for (const machine::ThrottleTime& time : device_.throttle_times())
      counters.limited_s.emplace_back(time.limiter, 1e-9 * static_cast<double>(time.ns));
    return counters;
  }

 private:
  machine::NvmlDevice device_;
};

}  // namespace

std::unique_ptr<Telemetry> open_telemetry(const std::string& pci_address) {
  const machine::Nvml& nvml = machine::Nvml::shared();
  if (!nvml.ready()) return std::make_unique<Telemetry>(nullptr, nvml.unavailable());
  std::string why;
  std::optional<machine::NvmlDevice> device = nvml.device(pci_address, &why);
  if (!device) return std::make_unique<Telemetry>(nullptr, "NVML does not know " + pci_address + ": " + why);
  return std::make_unique<Telemetry>(std::make_unique<NvmlTelemetry>(std::move(*device)), "");
}

}  // namespace assay::cuda
