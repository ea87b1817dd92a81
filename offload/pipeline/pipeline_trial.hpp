// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline as what is measured: every sample has the step and its parts, one after the other.
#pragma once

#include <vector>

#include "harness/host/host_counters.hpp"
#include "offload/pipeline/pipeline.hpp"

namespace assay::offload {

class PipelineTrial final : public core::Trial {
 public:
  explicit PipelineTrial(const PipelineSettings& settings) : settings_(settings), pipeline_(settings) {}

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override { return pipeline_.verify(); }
  void sampling_begins() override;
  void sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  PipelineSettings settings_;
  Pipeline pipeline_;
  host::HostCounters counters_;
  std::vector<StepParts> parts_;
};

/// From the parts of one sample.
double predicted_s(const PipelineShape& shape, const StepParts& parts);
/// What of that is there because the parts disturb each other.
double interference_s(const PipelineShape& shape, const StepParts& parts);

/// "not met: 8.1 GB/s in and 7.9 GB/s out, both at once beside the products"; capped runs do not tell.
std::string bandwidth_verdict(double asked_gb_per_s, double cap_gb_per_s, double in_gb_per_s,
                              double out_gb_per_s);

}  // namespace assay::offload
