// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/window_power.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"

namespace assay::cuda {
namespace {

constexpr const char* energy_counter = "energy_counter";
constexpr const char* power_readings = "power_readings";

// Between the first change and the last are nine whole steps, whose ends are seen a sampling period late at
// most: 2 %.
constexpr std::int64_t fewest_changes = 10;

struct Seen {
  double at_s = 0, value = 0;
};

std::vector<Seen> seen_by(const std::vector<TelemetryReading>& readings,
                          std::optional<double> TelemetryReading::* sensor) {
  std::vector<Seen> seen;
  for (const TelemetryReading& reading : readings)
    if (reading.*sensor) seen.push_back({reading.at_s, *(reading.*sensor)});
  return seen;
}

/// The first reading of each new value.
std::vector<Seen> changes_in(const std::vector<Seen>& seen) {
  std::vector<Seen> changes;
  for (std::size_t i = 1; i < seen.size(); ++i)
    if (seen[i].value != seen[i - 1].value) changes.push_back(seen[i]);
  return changes;
}

/// NaN of fewer than two.
double mean_over_time(const std::vector<Seen>& seen) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) sum += seen[i].value * (seen[i + 1].at_s - seen[i].at_s);
  return sum / (seen.back().at_s - seen.front().at_s);
}

WindowPower too_few(std::int64_t changes, const char* sensor, const std::vector<Seen>& seen) {
  return {.power_w = {},
          .why_not = fmt::format("{} changes of the {} in {:.3g} s: {} or more are needed", changes, sensor,
                                 seen.back().at_s - seen.front().at_s, fewest_changes)};
}

WindowPower by_energy_counter(const std::vector<Seen>& seen) {
  const std::vector<Seen> changes = changes_in(seen);
  const auto count = static_cast<std::int64_t>(changes.size());
  if (!std::ranges::is_sorted(seen, {}, &Seen::value))
    return {.power_w = {}, .why_not = "the energy counter went back"};
  if (count < fewest_changes) return too_few(count, "energy counter", seen);
  const Seen &first = changes.front(), &last = changes.back();
  return {.power_w = (last.value - first.value) / (last.at_s - first.at_s),
          .by = energy_counter,
          .changes = count};
}

WindowPower by_power_readings(const std::vector<Seen>& seen) {
  const auto count = static_cast<std::int64_t>(changes_in(seen).size());
  if (count < fewest_changes) return too_few(count, "power reading", seen);
  return {.power_w = mean_over_time(seen), .by = power_readings, .changes = count};
}

}  // namespace

std::vector<core::Fact> WindowPower::facts() const {
  if (!why_not.empty()) return {{core::names::power_left_out, why_not}};
  if (!power_w) return {};
  return {{core::names::power_by, by}, {"power_sensor_changes", changes}};
}

WindowPower window_power(const std::vector<TelemetryReading>& readings) {
  const std::vector<Seen> energy = seen_by(readings, &TelemetryReading::energy_j);
  if (!energy.empty()) return by_energy_counter(energy);
  const std::vector<Seen> power = seen_by(readings, &TelemetryReading::power_w);
  if (!power.empty()) return by_power_readings(power);
  return {.power_w = {}, .why_not = "the GPU reports neither energy nor power"};
}

}  // namespace assay::cuda
