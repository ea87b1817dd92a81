// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One sample on a GPU: close the gate, queue stamp, event, work, event, stamp, open the gate, wait, read both
// clocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/telemetry/sm_clock.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/cuda/timing/stream_gate.hpp"

namespace assay::cuda {

class GatedTimer {
 public:
  /// Runs every kernel of the timer once, so that no module is loaded behind a closed gate.
  GatedTimer(cudaStream_t stream, int sm_count);

  /// Runs enqueue() `iterations` times. seconds: event time. sm_cycles: event time multiplied by the SM clock
  /// that the stamps just outside the events measured (NaN where they could not). The first call is not
  /// gated: libraries load their kernels then, which may wait for the stream. Throws core::Error(cuda).
  core::Timing run(std::int64_t iterations, std::int64_t launches_per_iteration,
                   const std::function<void()>& enqueue);

  /// SM clock of the last sample; NaN before the first.
  double last_mhz() const { return last_mhz_; }

  struct Totals {
    double busy_s = 0;       // event seconds
    double cycles = 0;       // SM clock cycles between stamps
    double nanoseconds = 0;  // global timer between stamps
    double mhz() const;      // NaN when nothing was stamped
  };
  void clear_totals() { totals_ = {}; }
  const Totals& totals() const { return totals_; }
  /// False once a sample ran without the gate because one iteration needs more launches than the queue holds.
  bool gated() const { return gated_; }
  /// Seconds between the two events with no work between them: every sample contains them in addition.
  double empty_s() const { return empty_s_; }

 private:
  core::Timing run_chunk(std::int64_t iterations, bool gated, const std::function<void()>& enqueue);

  static constexpr std::chrono::duration<double> longest_sample = std::chrono::seconds(120);

  cudaStream_t stream_;
  StreamGate gate_;
  SmClock clock_;
  EventTimer timer_;
  Totals totals_;
  double last_mhz_;
  double empty_s_ = 0;
  bool first_ = true;
  bool gated_ = true;
};

}  // namespace assay::cuda
