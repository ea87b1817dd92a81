// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline as what is measured: every sample has the step and its parts, one after the other.
#pragma once

#include <vector>

#include "harness/host/host_site.hpp"
#include "offload/pipeline/pipeline.hpp"
#include "offload/pipeline/step_metrics.hpp"

namespace assay::offload {

class PipelineTrial {
 public:
  explicit PipelineTrial(const PipelineSettings& settings) : settings_(settings), pipeline_(settings) {}

  core::Timing enqueue(std::int64_t iterations) {
    return sample_steps([this] { return pipeline_.run_all(); }, iterations, samples_);
  }
  core::Verification check() { return pipeline_.verify(); }
  void sampling_begins() { samples_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement&) { return step_metrics(settings_, samples_); }
  std::vector<core::Fact> facts();

 private:
  PipelineSettings settings_;
  Pipeline pipeline_;
  std::vector<StepParts> samples_;
};

}  // namespace assay::offload
