// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline as what is measured: every sample has the step and its parts, one after the other.
#pragma once

#include <vector>

#include "harness/host/host_counters.hpp"
#include "offload/pipeline/pipeline.hpp"
#include "offload/pipeline/step_metrics.hpp"

namespace assay::offload {

class PipelineTrial final : public core::Trial {
 public:
  explicit PipelineTrial(const PipelineSettings& settings) : settings_(settings), pipeline_(settings) {}

  core::Timing do_run(std::int64_t iterations) override {
    return sample_steps([this] { return pipeline_.run_all(); }, iterations, samples_);
  }
  core::Verification do_verify() override { return pipeline_.verify(); }
  void do_sampling_begins() override;
  void do_sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override {
    return step_metrics(settings_, samples_);
  }
  std::vector<core::Fact> do_facts() override;

 private:
  PipelineSettings settings_;
  Pipeline pipeline_;
  host::HostCounters counters_;
  std::vector<StepParts> samples_;
};

}  // namespace assay::offload
