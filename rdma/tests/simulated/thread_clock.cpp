// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/simulated/thread_clock.hpp"

#include <algorithm>

#include "rdma/tests/simulated/fabric.hpp"
#include "rdma/traffic/tick_clock.hpp"

namespace assay::rdma {
namespace simulated {
namespace {

thread_local double clock_s = 0;

}  // namespace

double now_s() { return clock_s; }
void advance_to(double time_s) { clock_s = std::max(clock_s, time_s); }
void advance_by(double seconds) { clock_s += seconds; }

}  // namespace simulated

namespace {

/// A reading takes time, so that whoever only looks at the clock sees it move. A write that arrived completes
/// nothing: whoever has seen its last byte in memory is as late as that.
double read_clock() {
  constexpr double reading_s = 15e-9;
  simulated::advance_by(reading_s);
  simulated::advance_to(simulated::last_arrival_s());
  return simulated::now_s();
}

}  // namespace

std::uint64_t ticks() {
  constexpr double per_second = 1e12;
  return static_cast<std::uint64_t>(read_clock() * per_second);
}

double traffic_seconds() { return read_clock(); }

}  // namespace assay::rdma
