// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Monotonic time as an interface, so that the measuring loop can be tested with a scripted clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace assay::core {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t nanoseconds() = 0;

  double seconds() { return static_cast<double>(nanoseconds()) * 1e-9; }
};

class SteadyClock final : public Clock {
 public:
  std::int64_t nanoseconds() override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace assay::core
