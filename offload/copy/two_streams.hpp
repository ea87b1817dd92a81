// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two copies at once: on the caller's stream and on a second one, which may be of another GPU; joined again,
// or each timed by itself behind a gate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/cuda/timing/stream_gate.hpp"

namespace assay::offload {

class TwoStreams {
 public:
  /// Queues one copy. Called with the stream's GPU current.
  using Queue = std::function<void(cudaStream_t)>;

  /// The GPU of `main` is current, here and at every call. Throws core::Error(cuda).
  TwoStreams(cudaStream_t main, int second_gpu);

  /// Queues both; they begin together, and `main` continues once both are done.
  void enqueue(const Queue& first, const Queue& second);
  static constexpr int entries = 6;  // of the launch queue, of one enqueue()

  struct Seconds {
    double first_s, second_s;
  };
  /// Queues both behind a gate, so that they begin together however long the host takes, and waits for them.
  Seconds time_each(const Queue& first, const Queue& second);

 private:
  /// Queues `second` on its stream, with its GPU current, after what `begun_` follows; `timer` may be null.
  void queue_second(const Queue& second, cuda::EventTimer* timer);

  cudaStream_t main_;
  int second_gpu_;
  cuda::Event begun_;
  cuda::EventTimer first_timer_;
  cuda::StreamGate gate_;
  struct OnSecond {
    cuda::Stream stream = cuda::make_stream();
    cuda::Event done = cuda::make_event(cuda::EventUse::ordering);
    cuda::EventTimer timer;  // of its own GPU: time is only known between events of one
  };
  OnSecond second_;
};

/// Adds the rate that each of two ways reaches by itself while both copy at once: medians of 9 copies, timed
/// apart, of `bytes` each way, in GB/s; a way that took no time is left out.
void add_rates_apart(std::vector<core::Metric>& metrics, const std::array<const char*, 2>& names,
                     std::int64_t bytes, const std::function<TwoStreams::Seconds()>& time_each);

}  // namespace assay::offload
