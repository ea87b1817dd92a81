// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/rest_until.hpp"

#include <chrono>
#include <thread>

#include "harness/core/seconds_since.hpp"

namespace assay::core {

void rest_until(double when_s) {
  constexpr double sleeps_late_s = 100e-6;
  for (double left = when_s - steady_seconds(); left > 0; left = when_s - steady_seconds())
    if (left > sleeps_late_s)
      std::this_thread::sleep_for(std::chrono::duration<double>(left - sleeps_late_s));
    else
      std::this_thread::yield();
}

}  // namespace assay::core
