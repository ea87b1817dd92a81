// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/event_timer.hpp"

#include <fmt/format.h>

#include <thread>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"

namespace assay::cuda {

void EventTimer::start(cudaStream_t stream) {
  check(cudaEventRecord(start_.get(), stream), "record the start event");
}

void EventTimer::stop(cudaStream_t stream) {
  check(cudaEventRecord(stop_.get(), stream), "record the stop event");
}

double EventTimer::seconds() const {
  return seconds_between(start_, stop_, "read the time between two events");
}

void wait_for(cudaStream_t stream, std::string_view doing, std::chrono::duration<double> limit) {
  using SteadyClock = std::chrono::steady_clock;
  const auto start = SteadyClock::now();
  for (std::chrono::duration<double> waited{0}; waited <= limit; waited = SteadyClock::now() - start) {
    if (is_finished(stream, doing)) return;
    // Short samples are polled, long ones leave the core to others.
    if (waited > std::chrono::milliseconds(2)) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  note_context_lost();
  core::Error error(
      core::ErrorKind::cuda,
      fmt::format("{}: not finished after {:.0f} s, the device does not answer", doing, limit.count()),
      static_cast<long>(cudaErrorLaunchTimeout));
  throw error.poison();
}

}  // namespace assay::cuda
