// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The processors that each dimension of parallelism joins. Dimensions on inner networks come first; of one
// network in the order tensor, context, the data ranks that share experts, pipeline, data.
#pragma once

#include "model/predict/system/execution.hpp"
#include "model/predict/system/group.hpp"

namespace assay::model {

class Placement {
 public:
  explicit Placement(const Execution& execution);

  ProcessorGroup tensor() const { return {nets_[tensor_], {digits_[tensor_]}}; }
  ProcessorGroup pipeline() const { return {nets_[pipeline_], {digits_[pipeline_]}}; }
  /// Processors that exchange the gradients of weights that are not experts'.
  ProcessorGroup data() const { return {nets_[data_], {digits_[inner_data_], digits_[data_]}}; }
  ProcessorGroup experts() const { return {nets_[inner_data_], {digits_[inner_data_]}}; }
  /// Processors that hold the same experts.
  ProcessorGroup expert_copies() const { return {nets_[data_], {digits_[data_]}}; }

 private:
  enum Dimension : std::size_t { tensor_, inner_data_, pipeline_, data_, dimensions };

  std::array<Digit, dimensions> digits_;
  std::array<std::size_t, dimensions> nets_;
};

}  // namespace assay::model
