// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of a pipeline's samples: its parts, the bandwidths, the prediction and the verdicts. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "offload/pipeline/step_settings.hpp"

namespace assay::offload {

/// From the parts of one sample.
double predicted_s(const PipelineShape& shape, const StepParts& parts);
/// The part of predicted_s() that is there because the parts disturb each other.
double interference_s(const PipelineShape& shape, const StepParts& parts);

/// "not met: 8.1 GB/s in and 7.9 GB/s out, both at once during the products"; unknown of capped runs.
std::string bandwidth_verdict(double asked_gb_per_s, double cap_gb_per_s, double in_gb_per_s,
                              double out_gb_per_s);

/// Bytes of each direction over its own time, both at once, during the products: medians over the samples.
struct ReachedBandwidth {
  double in_gb_per_s = 0, out_gb_per_s = 0;
};
ReachedBandwidth reached(const StepSettings& step, const std::vector<StepParts>& samples);

/// Medians over the samples; empty without any.
std::vector<core::Metric> step_metrics(const StepSettings& step, const std::vector<StepParts>& samples);
/// reaches_25_gb_per_s, _50_ and _100_; empty without samples.
std::vector<core::Fact> bandwidth_verdicts(const StepSettings& step, const std::vector<StepParts>& samples);

/// Takes `iterations` samples and keeps them; the step is what is timed.
core::Timing sample_steps(const std::function<StepParts()>& sample, std::int64_t iterations,
                          std::vector<StepParts>& samples);

}  // namespace assay::offload
