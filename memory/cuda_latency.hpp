// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency of a dependent load on a GPU over footprint: L1, L2, HBM. Time and cycles are clocked inside the
// kernel, so no launch is in them.
#pragma once

#include <string_view>
#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/core/measure.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda_axes.hpp"
#include "memory/cuda_latency_kernels.hpp"

namespace assay::memory {

/// Nodes in a footprint. Throws a usage Error where fewer than two fit.
std::uint64_t chase_nodes(std::int64_t bytes);

class CudaLatency {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    std::int64_t bytes = 0;
    std::uint64_t nodes = 0;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.latency";
  static constexpr std::string_view measures =
      "GPU memory: latency of a load that depends on the one before, over a random cycle of 128-byte lines";
  static constexpr core::Headline headline = core::Headline::latency_ns;
  static std::vector<core::Axis> axes() { return {cuda::gpu_axis(), cuda_ladder_axis()}; }
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes = 8, .bytes_counted = "one load of 8 bytes an iteration"};
  }

  CudaLatency(const Settings& settings, cuda::DeviceSite& site);
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
  cuda::DeviceBuffer nodes_, at_;
  cuda::PinnedBuffer result_;
  std::uint64_t followed_ = 0;  // loads since the cycle was built
  std::int64_t asked_ = 0;
  std::uint64_t steps_ = 0;  // timed loads of the last launch
};

std::vector<core::Case> cuda_latency_cases(const machine::Machine& machine);

}  // namespace assay::memory
