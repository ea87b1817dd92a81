// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The reports of the GPU's management library while a point was sampled: clocks, power, temperature, how long
// each throttle reason held. A sampling thread reads them; the arithmetic on the readings is separate and
// needs no GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/telemetry/window_power.hpp"

namespace assay::cuda {

/// One reading; a value that the library did not report is empty.
struct TelemetryReading {
  double at_s = 0;                 // steady clock
  std::optional<double> energy_j;  // counted so far
  std::optional<double> sm_clock_mhz, memory_clock_mhz, power_w, temperature_c, memory_temperature_c;
  std::optional<std::uint64_t> throttle_reasons;  // bits, as the library numbers them
};

/// Counters that only grow.
struct TelemetryCounters {
  double at_s = 0;
  std::optional<std::int64_t> pcie_replays, ecc_corrected, ecc_uncorrected;
  std::vector<std::pair<std::string, double>> limited_s;  // per limiter, how long it held the clocks down
};

/// A source of readings: the management library, or a script in a test. Called from the sampling thread too.
class TelemetrySource {
 public:
  virtual ~TelemetrySource() = default;
  virtual TelemetryReading read() = 0;
  virtual TelemetryCounters count() = 0;
};

struct TelemetrySummary {
  std::int64_t readings = 0;
  std::optional<double> window_s;
  WindowPower power;
  std::optional<double> energy_j;  // of the window, at that power
  std::optional<double> sm_clock_min_mhz, sm_clock_mean_mhz, sm_clock_max_mhz;
  std::optional<double> temperature_max_c, memory_temperature_max_c;
  std::vector<std::pair<std::string, double>>
      throttle_fraction;  // every reason that held at all, 0..1 of the window
  bool throttle_known = false;
  std::optional<std::int64_t> pcie_replays, ecc_corrected, ecc_uncorrected;  // how many were added
  std::vector<std::pair<std::string, double>> limited_s;  // the GPU's own count, exact where sampling is not
};

/// Each reading stands for the time until the next one; the last one for none. A single reading stands for
/// all.
TelemetrySummary summarize_telemetry(const std::vector<TelemetryReading>& readings,
                                     const TelemetryCounters& before, const TelemetryCounters& after);

std::vector<core::Fact> telemetry_facts(const TelemetrySummary& summary);

/// Samples a source between begin() and end().
class Telemetry {
 public:
  /// `source` null: nothing is known, and the facts say why.
  Telemetry(std::unique_ptr<TelemetrySource> source, std::string why_not);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  std::optional<TelemetryReading> now();
  void begin();
  void end();
  const TelemetrySummary& summary() const { return summary_; }
  std::vector<core::Fact> facts() const;

 private:
  struct Sampler;

  std::unique_ptr<TelemetrySource> source_;
  std::string why_not_;
  std::unique_ptr<Sampler> sampler_;
  TelemetryCounters before_;
  TelemetrySummary summary_;
};

/// The telemetry of the device at this PCI address, or one that says why there is none.
std::unique_ptr<Telemetry> open_telemetry(const std::string& pci_address);

}  // namespace assay::cuda
