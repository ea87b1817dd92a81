// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory of a block choice in a layout under each choice of what is offloaded: the classes are worked out
// once, and only added up again.
#pragma once

#include "model/predict/step/step_parts.hpp"

namespace assay::model {

class LaidOutMemory {
 public:
  /// Uses the execution's optimizer_sharding. What `in` refers to outlives this.
  explicit LaidOutMemory(const StepInputs& in);
  /// The memory that evaluate_laid_out() would fill, until the next call; `execution` differs in its offloads
  /// alone.
  const StepMemory& with_offloads_of(const Execution& execution);

 private:
  StepInputs in_;
  StepMemory first_, last_;
  bool has_another_last_;
};

}  // namespace assay::model
