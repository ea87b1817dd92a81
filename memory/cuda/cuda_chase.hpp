// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One thread of a GPU follows a cycle through memory that the GPU addresses: its own, the host's, a peer's.
// Time and cycles are clocked inside the kernel, so no launch is in them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "memory/cuda/cuda_latency_kernels.hpp"

namespace assay::memory {

/// Memory of the cycle, as the GPU addresses it.
struct ChaseMemory {
  std::shared_ptr<void> owner;
  ChaseNode* nodes = nullptr;
};

class CudaChase {
 public:
  CudaChase(ChaseMemory memory, std::uint64_t nodes, cuda::DeviceSite& site);

  void enqueue() { enqueue(1); }
  void enqueue(std::int64_t loads);
  /// Seconds and cycles of the loads that were asked for, from the clocks of the kernel.
  core::Timing timing(const core::Timing& by_events) const;
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement) const;
  std::vector<core::Fact> facts() const;

 private:
  cudaStream_t stream_;
  std::uint64_t count_;  // nodes
  std::uint64_t warm_;
  ChaseMemory memory_;
  cuda::DeviceBuffer at_;
  cuda::PinnedBuffer result_;
  std::uint64_t followed_ = 0;  // loads since the cycle was built
  std::int64_t asked_ = 0;
  std::uint64_t steps_ = 0;  // timed loads of the last launch
};

}  // namespace assay::memory
