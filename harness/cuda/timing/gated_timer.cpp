// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/gated_timer.hpp"

#include <limits>
#include <optional>

#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_chunks.hpp"

namespace assay::cuda {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double GatedTimer::Totals::mhz() const { return nanoseconds > 0 ? 1000.0 * cycles / nanoseconds : unknown; }

GatedTimer::GatedTimer(cudaStream_t stream, int sm_count)
    : stream_(stream), clock_(sm_count), last_mhz_(unknown) {
  // The first run loads the kernels, the second measures the time of an empty sample.
  for (int i = 0; i < 2; ++i) {
    gate_.close(stream_).open();
    clock_.stamp_before(stream_);
    timer_.start(stream_);
    timer_.stop(stream_);
    clock_.stamp_after(stream_);
    wait_for(stream_, "run the timer's own kernels", longest_sample);
  }
  empty_s_ = timer_.seconds();
}

core::Timing GatedTimer::run(std::int64_t iterations, std::int64_t launches_per_iteration,
                             const std::function<void()>& enqueue) {
  const LaunchChunks chunks = launch_chunks(iterations, launches_per_iteration);
  const bool gated = chunks.gated && !first_;
  if (!chunks.gated) gated_ = false;
  first_ = false;
  core::Timing sum{.seconds = 0, .sm_cycles = 0};
  for (const std::int64_t count : chunks.iterations) {
    const core::Timing part = run_chunk(count, gated, enqueue);
    sum.seconds += part.seconds;
    sum.sm_cycles += part.sm_cycles;
  }
  return sum;
}

core::Timing GatedTimer::run_chunk(std::int64_t iterations, bool gated,
                                   const std::function<void()>& enqueue) {
  clock_.reset();
  std::optional<GateHold> hold;
  if (gated) hold.emplace(gate_.close(stream_));
  clock_.stamp_before(stream_);
  timer_.start(stream_);
  for (std::int64_t i = 0; i < iterations; ++i) enqueue();
  timer_.stop(stream_);
  clock_.stamp_after(stream_);
  if (hold) hold->open();
  wait_for(stream_, "run a sample", longest_sample);
  if (gated) gate_.throw_if_timed_out();

  const double seconds = timer_.seconds();
  const ClockSpan span = clock_.read();
  last_mhz_ = span.mhz();
  totals_.busy_s += seconds;
  totals_.cycles += span.cycles;
  totals_.nanoseconds += span.nanoseconds;
  return {.seconds = seconds, .sm_cycles = seconds * 1e6 * span.mhz()};
}

}  // namespace assay::cuda
