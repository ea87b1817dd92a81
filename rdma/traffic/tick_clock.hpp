// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time stamps that cost as little as the processor allows; the steady clock says what a tick is worth
// around each block of them.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace assay::rdma {

#if defined(__x86_64__)
// The time-stamp counter of every x86 server of the last decade counts at one rate on all cores.
inline std::uint64_t ticks() { return __rdtsc(); }
#else
inline std::uint64_t ticks() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
#endif

}  // namespace assay::rdma
