// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/tick_clock.hpp"

#include "harness/core/seconds_since.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace assay::rdma {

#if defined(__x86_64__)
// The time-stamp counter of every x86 server of the last decade counts at one rate on all cores.
std::uint64_t ticks() { return __rdtsc(); }
#else
std::uint64_t ticks() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
#endif

double traffic_seconds() { return core::steady_seconds(); }

}  // namespace assay::rdma
