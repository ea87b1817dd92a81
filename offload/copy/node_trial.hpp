// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host copies of several GPUs at once as what is measured: a sample takes as long as the slowest GPU.
#pragma once

#include <memory>
#include <vector>

#include "harness/cuda/telemetry.hpp"
#include "offload/copy/node_copies.hpp"

namespace assay::offload {

class NodeTrial {
 public:
  explicit NodeTrial(const std::vector<CopyWay>& ways);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return copies_.verify(); }
  void sampling_begins();
  void sampling_ends();
  /// Copies each GPU's alone, too.
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  std::int64_t bytes_;  // of one GPU and iteration
  NodeCopies copies_;
  std::vector<std::unique_ptr<cuda::Telemetry>> telemetry_;  // by GPU
  std::vector<std::string> addresses_;
  GpuSeconds together_, alone_;
};

}  // namespace assay::offload
