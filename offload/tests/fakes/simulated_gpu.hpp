// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of threads: every stream is one, works off what is queued in order and beside the others, in memory
// of the host; kernels are what they would compute. It times nothing worth a number. For tests of who waits
// for whom and of what fails; link it in the place of the CUDA runtime and of the kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <functional>

namespace assay::offload::tests {

struct SimulatedGpu {
  std::atomic<int> resident_blocks{0};  // that are on it now
  /// Allocated, freed or synchronised while blocks were resident: on a GPU that may wait for them.
  std::atomic<int> forbidden_calls{0};
  std::atomic<bool> blocks_share_multiprocessors{false};
  std::atomic<bool> blocks_leave_at_once{false};  // by their time limit
  std::atomic<bool> triads_are_wrong{false};
  std::atomic<bool> triads_do_nothing{false};
  std::atomic<int> triads_until_loss{-1};  // then every call fails; negative: never
  std::atomic<int> devices{1};             // which share what else is said here
  std::atomic<bool> devices_reach_each_other{true}, page_locking_fails{false};
  std::atomic<int> gates{0}, snapshots{0};  // closed, and taken, so far
  std::atomic<int> urgent_streams{0};       // made so far
  std::atomic<int> communicators{0};        // of NCCL, that are there now
  std::atomic<bool> communicators_fail{false}, reductions_are_wrong{false};
};
SimulatedGpu& gpu();

/// Queues work on a stream; nullptr: does it now.
void queue_work(cudaStream_t stream, std::function<void()> work);
/// cudaErrorLaunchFailure once it is lost.
cudaError_t gpu_status();
void lose_gpu();

}  // namespace assay::offload::tests
