// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Power and energy of a window, from the changes of a sensor that it holds. Sensors are slow: the energy
// counter of an H100 steps about every 100 ms, so that a window of some steps holds no power but that of its
// surroundings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/report.hpp"

namespace assay::cuda {

struct TelemetryReading;

struct WindowPower {
  std::optional<double> power_w;
  std::string by = {};       // the sensor that it is from; empty where there is no power
  std::int64_t changes = 0;  // of that sensor
  std::string why_not = {};  // one line; empty where there is power, and where nothing was read

  /// power_by and the changes of that sensor, or power_left_out.
  std::vector<core::Fact> facts() const;
};

/// Power by the energy counter, where the GPU has one: energy over time between the first and the last change
/// that was seen. Else the mean of the readings of power, each of which stands for the time until the next
/// one. Either way the window must hold ten changes of the sensor.
WindowPower window_power(const std::vector<TelemetryReading>& readings);

}  // namespace assay::cuda
