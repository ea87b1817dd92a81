// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/device_site.hpp"

#include <cmath>

namespace assay::cuda {

DeviceConditions::DeviceConditions(const DeviceSite& site, const GatedTimer& timer)
    : device_(site.device), timer_(timer), telemetry_(open_telemetry(site.device.pci_address)) {}

std::vector<core::Signal> DeviceConditions::signals() {
  std::vector<core::Signal> signals;
  if (std::isfinite(timer_.last_mhz())) signals.push_back({"sm_clock_mhz", timer_.last_mhz()});
  const std::optional<TelemetryReading> reading = telemetry_->now();
  if (reading && reading->power_w) signals.push_back({"power_w", *reading->power_w});
  return signals;
}

std::vector<core::Metric> DeviceConditions::metrics() const {
  std::vector<core::Metric> metrics;
  const double mhz = timer_.totals().mhz();
  if (std::isfinite(mhz)) metrics.push_back({.name = "sustained_sm_clock_mhz", .unit = "MHz", .value = mhz});
  const TelemetrySummary& summary = telemetry_->summary();
  if (summary.power_w) metrics.push_back({.name = "power_w", .unit = "W", .value = *summary.power_w});
  if (summary.energy_j) metrics.push_back({.name = "energy_j", .unit = "J", .value = *summary.energy_j});
  return metrics;
}

std::vector<core::Fact> DeviceConditions::facts() const {
  std::vector<core::Fact> facts = {
      {"gpu_name", device_.name},
      {"gpu_pci_address", device_.pci_address},
      {"sm_count", static_cast<std::int64_t>(device_.sm_count)},
      {"l2_bytes", device_.l2_bytes},
      {"gated", timer_.gated() ? "yes" : "no: one iteration needs more launches than the queue holds"},
      {"gpu_busy_s", timer_.totals().busy_s},
      {"empty_sample_us", 1e6 * timer_.empty_s()},
  };
  for (core::Fact& fact : version_facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : telemetry_->facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::cuda
