// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Settings of a step of the pipeline, wherever its memories are: model, blocks, slots and cap, and their
// axes.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "offload/pipeline/block_layout.hpp"
#include "offload/pipeline/pace.hpp"

namespace assay::offload {

struct StepSettings {
  Block block;
  workload::Dtype dtype = workload::Dtype::bf16;
  PipelineShape shape;
  double cap_gb_per_s = unlimited;  // of each direction

  BlockLayout layout() const { return {block, shape}; }
  bool is_capped() const { return cap_gb_per_s < unlimited; }
  double in_bytes() const { return static_cast<double>(shape.blocks * block.fetched_bytes); }
  double out_bytes() const { return static_cast<double>(shape.blocks * block.written_bytes); }
};

/// Values that a case sweeps unless it is asked otherwise.
struct StepDefaults {
  std::vector<core::Value> models, residents, caps;
  std::int64_t shrink = 1, tp = 1, tokens = 1, blocks = 1;
};
/// model, shrink, tp, tokens, dtype, pass, blocks, resident, cap_gb_per_s.
std::vector<core::Axis> step_axes(const StepDefaults& defaults);

/// Throws a usage Error naming axis and value.
StepSettings step_settings(const core::Point& point);

core::Work step_work(const StepSettings& step);
/// Bytes of a block, and of the memories all of it needs.
std::vector<core::Fact> step_derived(const StepSettings& step);

/// Times of one sample of the pipeline: the step, and its parts by themselves and at the same time. Seconds
/// of all blocks once.
struct StepParts {
  double compute_s = 0, fetch_s = 0, write_s = 0;  // each by itself
  double both_s = 0;                               // fetch and write-back, started at once
  double compute_beside_s = 0, both_beside_s = 0;  // while the other runs all along
  double fetch_beside_s = 0, write_beside_s = 0;   // of both at once: each direction until its own last byte
  double step_s = 0;                               // the pipeline
};

}  // namespace assay::offload
