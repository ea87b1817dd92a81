// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pipelines simulated pass by pass: what a schedule's order leaves a processor without work.
#pragma once

#include <cstddef>
#include <vector>

#include "model/predict/system/execution.hpp"

namespace assay::model {

/// Seconds of a microbatch on a processor: forward, backward to the activations, and to the weights, for
/// which nothing waits.
struct PassTimes {
  double forward_s = 0, backward_s = 0, weights_s = 0;
};

struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int stages = 1, microbatches = 1, chunks = 1;
};

/// Seconds until the last processor has ended, all messages free. DualPipe sends half of the microbatches
/// from either end; its stages and microbatches are even, and microbatches at least twice the stages.
/// Interleaved, stages divide the microbatches.
double pipeline_span_s(const PipelineShape& shape, const PassTimes& times);

/// The span less a processor's work. Simulates at most 4 microbatches a stage, which the bubble does not
/// depend on beyond.
double pipeline_bubble_s(PipelineShape shape, const PassTimes& times);

}  // namespace assay::model
