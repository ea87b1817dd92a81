// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What one sample of the pipeline has: the step, and its parts by themselves and beside one another.
#pragma once

namespace assay::offload {

/// Seconds of all blocks once.
struct StepParts {
  double compute_s = 0, fetch_s = 0, write_s = 0;  // each by itself
  double both_s = 0;                               // fetch and write-back, started at once
  double compute_beside_s = 0, both_beside_s = 0;  // while the other runs all along
  double fetch_beside_s = 0, write_beside_s = 0;   // of both beside: each direction until its own last byte
  double step_s = 0;                               // the pipeline
};

}  // namespace assay::offload
