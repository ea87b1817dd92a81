// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_contest_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"
#include "offload/interference/device/tail_wave.hpp"

namespace assay::offload {
namespace {

using Times = std::vector<DeviceContestTimes>;

/// Loss of clock, and what is left of the slowdown without it.
void add_clock(std::vector<core::Metric>& metrics, const Times& all) {
  const bool read = std::ranges::all_of(all, [](const DeviceContestTimes& one) {
    return one.alone_mhz > 0 && one.beside_spin_mhz > 0 && one.beside_mhz > 0;
  });
  if (!read) return;
  metrics.push_back(
      core::median_metric(all, "sm_clock_alone_mhz", "MHz", [](const auto& one) { return one.alone_mhz; }));
  metrics.push_back(core::median_metric(all, "sm_clock_ratio", "",
                                        [](const auto& one) { return one.beside_mhz / one.alone_mhz; }));
  metrics.push_back(core::median_metric(all, "sm_clock_ratio_of_spinning", "",
                                        [](const auto& one) { return one.beside_spin_mhz / one.alone_mhz; }));
  metrics.push_back(core::median_metric(all, "slowdown_at_equal_clock", "", [](const auto& one) {
    return one.times.beside_s * one.beside_mhz / (one.times.alone_s * one.alone_mhz);
  }));
}

/// Adds `scale` times the rate of `work` a quantum, per second, alone and next to a load.
void add_rates(std::vector<core::Metric>& metrics, const Times& all, double work, double scale,
               const char* alone, const char* beside, const char* unit) {
  if (work <= 0) return;
  metrics.push_back(core::median_metric(all, alone, unit,
                                        [=](const auto& one) { return scale * work / one.times.alone_s; }));
  metrics.push_back(core::median_metric(all, beside, unit,
                                        [=](const auto& one) { return scale * work / one.times.beside_s; }));
}

void add_compute(std::vector<core::Metric>& metrics, const Times& all, const VictimWork& victim) {
  if (victim.quantum_flops <= 0) return;
  metrics.push_back(core::median_metric(all, "processor_usage", "", [](const auto& one) {
    return 1 - one.times.alone_s / one.times.beside_s;
  }));
  if (victim.sm_count <= 0 || !victim.taken) return;
  const int taken = *victim.taken;
  metrics.push_back(
      {"multiprocessors_taken_share", "", static_cast<double>(taken) / static_cast<double>(victim.sm_count)});
  if (!victim.blocks_of_work || taken >= victim.sm_count) return;
  metrics.push_back({core::names::predicted_tail_wave_slowdown, "",
                     tail_wave_slowdown(*victim.blocks_of_work, victim.sm_count, taken)});
  metrics.push_back({"predicted_persistent_slowdown", "",
                     persistent_slowdown(*victim.blocks_of_work, victim.sm_count, taken)});
}

}  // namespace

std::vector<core::Metric> device_contest_metrics(const Times& times, const VictimWork& victim) {
  if (times.empty()) return {};
  std::vector<ContestTimes> shared;
  for (const DeviceContestTimes& one : times) shared.push_back(one.times);
  std::vector<core::Metric> metrics = contest_metrics(shared);
  const double tflops = std::ranges::max(times, {}, &DeviceContestTimes::aggressor_tflops).aggressor_tflops;
  if (tflops > 0)
    metrics.push_back(core::median_metric(times, "aggressor_tflops", "TFLOP/s",
                                          [](const auto& one) { return one.aggressor_tflops; }));
  add_clock(metrics, times);
  add_rates(metrics, times, victim.quantum_flops, 1e-12, "victim_alone_tflops", "victim_beside_tflops",
            "TFLOP/s");
  add_rates(metrics, times, victim.quantum_bytes, 1e-9, "victim_alone_gb_per_s", "victim_beside_gb_per_s",
            "GB/s");
  add_compute(metrics, times, victim);
  return metrics;
}

}  // namespace assay::offload
