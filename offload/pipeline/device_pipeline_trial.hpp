// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU as what is measured: every sample has the step and its parts, one after the other.
#pragma once

#include <optional>
#include <vector>

#include "offload/copy/host_link.hpp"
#include "offload/pipeline/device_pipeline.hpp"
#include "offload/pipeline/step_metrics.hpp"

namespace assay::offload {

class DevicePipelineTrial final : public core::Trial {
 public:
  explicit DevicePipelineTrial(const DevicePipelineSettings& settings);

  core::Timing do_run(std::int64_t iterations) override;
  core::Verification do_verify() override { return pipeline_.verify(); }
  std::vector<core::Signal> do_signals() override { return site_.signals(); }
  void do_sampling_begins() override;
  /// Reads the link while blocks are fetched.
  void do_sampling_ends() override;
  std::vector<core::Metric> do_metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> do_facts() override;

 private:
  DevicePipelineSettings settings_;
  cuda::GatedSite site_;
  DevicePipeline pipeline_;
  std::optional<HostLink> link_;
  std::vector<StepParts> samples_;
};

}  // namespace assay::offload
