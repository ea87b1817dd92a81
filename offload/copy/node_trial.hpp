// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host copies of several GPUs at once as what is measured: a sample takes as long as the slowest GPU.
#pragma once

#include <memory>
#include <vector>

#include "harness/cuda/telemetry.hpp"
#include "offload/copy/node_copies.hpp"

namespace assay::offload {

class NodeTrial final : public core::Trial {
 public:
  explicit NodeTrial(const std::vector<CopyWay>& ways);

  core::Timing do_run(std::int64_t iterations) override;
  core::Verification do_verify() override { return copies_.verify(); }
  void do_sampling_begins() override;
  void do_sampling_ends() override;
  /// Copies each GPU's alone, too.
  std::vector<core::Metric> do_metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> do_facts() override;

 private:
  std::int64_t bytes_;  // of one GPU and iteration
  NodeCopies copies_;
  std::vector<std::unique_ptr<cuda::Telemetry>> telemetry_;  // by GPU
  std::vector<std::string> addresses_;
  GpuSeconds together_, alone_;
};

}  // namespace assay::offload
