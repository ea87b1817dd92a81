// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The processors that each dimension of parallelism joins. Dimensions on inner networks come first; of one
// network in the order tensor, context, the data ranks that share experts, pipeline, data.
#pragma once

#include <span>

#include "model/predict/system/execution.hpp"
#include "model/predict/system/group.hpp"

namespace assay::model {

class Placement {
 public:
  explicit Placement(const Execution& execution);

  ProcessorGroup tensor() const { return {nets_[tensor_], {digits_[tensor_]}}; }
  ProcessorGroup context() const { return {nets_[context_], {digits_[context_]}}; }
  ProcessorGroup pipeline() const { return {nets_[pipeline_], {digits_[pipeline_]}}; }
  /// Processors that exchange the gradients of weights that are not experts'; among `count` of them, and
  /// among those in the same place of each such group.
  ProcessorGroup data() const;
  ProcessorGroup shards(std::int64_t count) const;
  ProcessorGroup copies(std::int64_t shards) const;
  ProcessorGroup experts() const;
  /// Processors that an expert's matrices are divided over.
  ProcessorGroup expert_tensor() const;
  /// Processors that hold the same experts.
  ProcessorGroup expert_copies() const;

 private:
  enum Dimension : std::size_t { tensor_, context_, inner_data_, pipeline_, data_, dimensions };

  std::array<Digit, dimensions> digits_;
  std::array<std::size_t, dimensions> nets_;
  std::size_t data_net_;
  std::int64_t expert_par_, expert_tensor_;
};

/// The group on the innermost network one domain of which holds all its members, if within its own.
ProcessorGroup on_innermost(const System& system, ProcessorGroup group);

}  // namespace assay::model
