// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic on telemetry readings: how long each throttle reason held, means, differences of counters.
#include <algorithm>
#include <bit>

#include "harness/core/names.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/machine/nvml/nvml.hpp"

namespace assay::cuda {
namespace {

// Bits 0 to 8, nvmlClocksEventReasons in the NVML API reference.
constexpr int defined_reasons = 9;

// Seconds a reading stands for.
std::vector<double> weights(const std::vector<TelemetryReading>& readings) {
  std::vector<double> seconds(readings.size(), 0.0);
  for (std::size_t i = 0; i + 1 < readings.size(); ++i)
    seconds[i] = std::max(0.0, readings[i + 1].at_s - readings[i].at_s);
  if (readings.size() == 1) seconds[0] = 1;
  return seconds;
}

template <class Number>
std::optional<Number> difference(const std::optional<Number>& before, const std::optional<Number>& after) {
  if (!before || !after || *after < *before) return std::nullopt;  // a reset counter has no difference
  return *after - *before;
}

struct Spread {
  std::optional<double> least, mean, most;
};

Spread spread(const std::vector<TelemetryReading>& readings, const std::vector<double>& seconds,
              std::optional<double> TelemetryReading::* field) {
  Spread result;
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const std::optional<double>& value = readings[i].*field;
    if (!value) continue;
    result.least = result.least ? std::min(*result.least, *value) : *value;
    result.most = result.most ? std::max(*result.most, *value) : *value;
    sum += seconds[i] * *value;
    weight += seconds[i];
  }
  if (weight > 0) result.mean = sum / weight;
  return result;
}

std::string bit_name(int bit) { return machine::clocks_event_reason_names(std::uint64_t{1} << bit).front(); }

void add_throttle(TelemetrySummary& summary, const std::vector<TelemetryReading>& readings,
                  const std::vector<double>& seconds) {
  double known = 0;
  std::vector<double> held(64, 0.0);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].throttle_reasons) continue;
    known += seconds[i];
    for (std::uint64_t bits = *readings[i].throttle_reasons; bits != 0; bits &= bits - 1)
      held[static_cast<std::size_t>(std::countr_zero(bits))] += seconds[i];
  }
  if (known <= 0) return;
  summary.throttle_known = true;
  for (int bit = 0; bit < 64; ++bit)
    if (held[static_cast<std::size_t>(bit)] > 0)
      summary.throttle_fraction.emplace_back(bit_name(bit), held[static_cast<std::size_t>(bit)] / known);
}

void add(std::vector<core::Fact>& facts, const char* name, const std::optional<double>& value) {
  if (value) facts.emplace_back(name, *value);
}

void add(std::vector<core::Fact>& facts, const char* name, const std::optional<std::int64_t>& value) {
  if (value) facts.emplace_back(name, *value);
}

std::vector<std::pair<std::string, double>> limited_between(const TelemetryCounters& before,
                                                            const TelemetryCounters& after) {
  std::vector<std::pair<std::string, double>> limited;
  for (const auto& [limiter, seconds] : after.limited_s)
    for (const auto& [earlier, seconds_before] : before.limited_s)
      if (limiter == earlier && seconds >= seconds_before)
        limited.emplace_back(limiter, seconds - seconds_before);
  return limited;
}

}  // namespace

TelemetrySummary summarize_telemetry(const std::vector<TelemetryReading>& readings,
                                     const TelemetryCounters& before, const TelemetryCounters& after) {
  TelemetrySummary summary;
  summary.readings = static_cast<std::int64_t>(readings.size());
  const std::vector<double> seconds = weights(readings);
  const Spread clock = spread(readings, seconds, &TelemetryReading::sm_clock_mhz);
  summary.sm_clock_min_mhz = clock.least;
  summary.sm_clock_mean_mhz = clock.mean;
  summary.sm_clock_max_mhz = clock.most;
  summary.temperature_max_c = spread(readings, seconds, &TelemetryReading::temperature_c).most;
  summary.memory_temperature_max_c = spread(readings, seconds, &TelemetryReading::memory_temperature_c).most;
  add_throttle(summary, readings, seconds);
  if (after.at_s > before.at_s) summary.window_s = after.at_s - before.at_s;
  summary.power = window_power(readings);
  if (summary.power.power_w && summary.window_s)
    summary.energy_j = *summary.power.power_w * *summary.window_s;
  summary.pcie_replays = difference(before.pcie_replays, after.pcie_replays);
  summary.ecc_corrected = difference(before.ecc_corrected, after.ecc_corrected);
  summary.ecc_uncorrected = difference(before.ecc_uncorrected, after.ecc_uncorrected);
  summary.limited_s = limited_between(before, after);
  return summary;
}

std::vector<core::Fact> telemetry_facts(const TelemetrySummary& summary) {
  std::vector<core::Fact> facts;
  facts.emplace_back("telemetry_readings", summary.readings);
  add(facts, core::names::telemetry_window_s, summary.window_s);
  add(facts, core::names::nvml_sm_clock_min_mhz, summary.sm_clock_min_mhz);
  add(facts, "nvml_sm_clock_mean_mhz", summary.sm_clock_mean_mhz);
  add(facts, core::names::nvml_sm_clock_max_mhz, summary.sm_clock_max_mhz);
  add(facts, core::names::temperature_max_c, summary.temperature_max_c);
  add(facts, "memory_temperature_max_c", summary.memory_temperature_max_c);
  if (summary.throttle_known) {
    // Every reason NVML defines is written, also at zero: that it did not hold is evidence too.
    for (int bit = 0; bit < defined_reasons; ++bit) {
      double fraction = 0;
      for (const auto& [name, held] : summary.throttle_fraction)
        if (name == bit_name(bit)) fraction = held;
      facts.emplace_back("throttle_" + bit_name(bit) + "_fraction", fraction);
    }
  } else {
    facts.emplace_back("throttle", "not reported by the GPU");
  }
  for (const auto& [limiter, seconds] : summary.limited_s)
    facts.emplace_back("limited_by_" + limiter + "_s", seconds);
  add(facts, "pcie_replays", summary.pcie_replays);
  add(facts, "ecc_corrected_errors", summary.ecc_corrected);
  add(facts, "ecc_uncorrected_errors", summary.ecc_uncorrected);
  return facts;
}

}  // namespace assay::cuda
