// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/device_site.hpp"

#include <cmath>
#include <utility>

#include "harness/core/names.hpp"

namespace assay::cuda {

GatedSite::GatedSite(const DevicePlace& place)
    : DeviceSite(place.gpu),
      timer(stream.get(), device.sm_count),
      telemetry_(open_telemetry(device.pci_address)) {}

std::vector<core::Signal> GatedSite::signals() {
  std::vector<core::Signal> signals;
  if (std::isfinite(timer.last_mhz())) signals.push_back({core::names::sm_clock_mhz, timer.last_mhz()});
  const std::optional<TelemetryReading> reading = telemetry_->now();
  if (reading && reading->power_w) signals.push_back({core::names::power_w, *reading->power_w});
  return signals;
}

void GatedSite::sampling_begins() {
  timer.clear_totals();
  telemetry_->begin();
}

std::vector<core::Metric> GatedSite::metrics() {
  std::vector<core::Metric> metrics;
  const double mhz = timer.totals().mhz();
  if (std::isfinite(mhz))
    metrics.push_back({.name = core::names::sustained_sm_clock_mhz, .unit = "MHz", .value = mhz});
  const TelemetrySummary& summary = telemetry_->summary();
  if (summary.power.power_w)
    metrics.push_back({.name = core::names::power_w, .unit = "W", .value = *summary.power.power_w});
  if (summary.energy_j)
    metrics.push_back({.name = core::names::energy_j, .unit = "J", .value = *summary.energy_j});
  return metrics;
}

std::vector<core::Fact> GatedSite::facts() {
  std::vector<core::Fact> facts = {
      {core::names::gpu_name, device.name},
      {core::names::gpu_pci_address, device.pci_address},
      {core::names::sm_count, static_cast<std::int64_t>(device.sm_count)},
      {"l2_bytes", device.l2_bytes},
      {"gated", timer.gated() ? "yes" : "no: one iteration needs more launches than the queue holds"},
      {"gpu_busy_s", timer.totals().busy_s},
      {"empty_sample_us", 1e6 * timer.empty_s()},
  };
  for (core::Fact& fact : version_facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : telemetry_->facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : telemetry_->summary().power.facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::cuda
