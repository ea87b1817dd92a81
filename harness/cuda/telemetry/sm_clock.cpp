// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/sm_clock.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "harness/core/statistics/statistics.hpp"
#include "harness/cuda/check.hpp"

namespace assay::cuda {

double ClockSpan::mhz() const {
  return sms > 0 ? 1000.0 * cycles / nanoseconds : std::numeric_limits<double>::quiet_NaN();
}

ClockSpan clock_span(std::span<const SmStamp> before, std::span<const SmStamp> after) {
  std::vector<double> cycles, nanoseconds;
  for (std::size_t sm = 0; sm < std::min(before.size(), after.size()); ++sm) {
    const bool stamped = before[sm].nanoseconds != 0 && after[sm].nanoseconds != 0;
    if (!stamped || after[sm].nanoseconds <= before[sm].nanoseconds || after[sm].cycles <= before[sm].cycles)
      continue;
    cycles.push_back(static_cast<double>(after[sm].cycles - before[sm].cycles));
    nanoseconds.push_back(static_cast<double>(after[sm].nanoseconds - before[sm].nanoseconds));
  }
  if (cycles.empty()) return {};
  const int sms = static_cast<int>(cycles.size());
  return {.sms = sms,
          .cycles = core::quantile_of(cycles, 0.5),
          .nanoseconds = core::quantile_of(nanoseconds, 0.5)};
}

SmClock::SmClock(int sm_count) : stamps_(2 * slots * sizeof(SmStamp)), blocks_(sm_count) {}

void SmClock::reset() { std::memset(stamps_.as<void>(), 0, stamps_.size()); }

void SmClock::stamp(std::size_t which, cudaStream_t stream) {
  check(launch_stamp(stamps_.on_device<SmStamp>() + which * slots, static_cast<int>(slots), blocks_, stream),
        "launch an SM stamp");
}

ClockSpan SmClock::read() const {
  const SmStamp* stamps = stamps_.as<SmStamp>();
  return clock_span({stamps, slots}, {stamps + slots, slots});
}

}  // namespace assay::cuda
