// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass on two streams of a GPU: one computes, one exchanges, and each waits for the other by events. The
// host queues it whole; the GPU times it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "collectives/overlap/pass_plan.hpp"
#include "collectives/overlap/pass_times.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::collectives {

/// The work that a pass queues, and its streams.
struct DevicePassWork {
  cudaStream_t compute_stream = nullptr, exchange_stream = nullptr;
  std::function<void(int layer)> compute = {};
  std::function<void(std::size_t which)> exchange = {};
  std::function<void()> wait_for_exchanges = {};  // until their stream is idle
  std::function<void()> barrier = {};             // of all ranks
};

class DevicePass {
 public:
  /// Makes its events on the current device. Throws core::Error (cuda).
  DevicePass(PassPlan plan, DevicePassWork work);

  /// Computing alone, exchanges alone, both together, each after a barrier.
  PassTimes run();

 private:
  struct Span {
    cuda::Event begin, end;
  };
  double run_compute();
  std::vector<double> run_exchanges();
  void run_together(PassTimes& times);
  void queue_layer(int layer);
  void queue_exchange(std::size_t which);
  /// Exchanges up to `count`, which need what is computed so far.
  void queue_exchanges(std::size_t count, int computed);

  PassPlan plan_;
  DevicePassWork work_;
  Span whole_;
  std::vector<Span> layers_, exchanges_;
  std::size_t queued_ = 0;  // exchanges of this pass
};

}  // namespace assay::collectives
