// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/ready_within.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "harness/core/seconds_since.hpp"

namespace assay::core {

int ready_within(std::span<pollfd> waiting, double limit_s) {
  const double end_s = steady_seconds() + limit_s;
  for (;;) {
    const double left_ms = 1e3 * std::max(0.0, end_s - steady_seconds());
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(std::ceil(left_ms)));
    if (ready >= 0 || errno != EINTR) return ready;
  }
}

}  // namespace assay::core
