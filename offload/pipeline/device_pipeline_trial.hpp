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

class DevicePipelineTrial {
 public:
  DevicePipelineTrial(const DevicePipelineSettings& settings, cuda::GatedSite& site);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return pipeline_.verify(); }
  void sampling_begins() { samples_.clear(); }
  /// Reads the link while blocks are fetched.
  void sampling_ends();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  DevicePipelineSettings settings_;
  cuda::GatedSite& site_;
  DevicePipeline pipeline_;
  std::optional<HostLink> link_;
  std::vector<StepParts> samples_;
};

}  // namespace assay::offload
