// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The layout of blocks and microbatches on processor 0 of a pipeline.
#pragma once

#include "model/predict/system/execution.hpp"

namespace assay::model {

struct Schedule {
  double stages, microbatches, chunks;  // p, m, v
  double blocks;                        // of processor 0, the fullest
  double base_blocks;                   // of a chunk, before its edge block
  double short_stages;                  // processors with one block less
  PipelineSchedule kind;

  Schedule(const Application& application, const Execution& execution);

  /// Mean over all processors.
  double mean_blocks() const { return blocks - short_stages / stages; }
  double chunk_blocks() const { return base_blocks + 1; }
  /// Microbatches that wait for their backward pass, at most.
  double in_flight() const;
  /// The in_flight() of the last stage, which starts backward at once: (v - 1) p + 1 chunks.
  double in_flight_on_last() const;
  /// m mod p, with p where it divides.
  double last_round() const;
};

}  // namespace assay::model
