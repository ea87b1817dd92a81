// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives between processors that hold the same weights: of their gradients, and of weights in shards.
#pragma once

#include "model/predict/step/step_parts.hpp"
#include "model/predict/system/placement.hpp"

namespace assay::model {

class GradientExchange {
 public:
  explicit GradientExchange(const StepInputs& in);

  /// The exchange of gradients and, where these are in shards, of weights: `bytes` of weights in the
  /// execution's datatype, not those of experts.
  double seconds(double bytes) const;
  /// The exchange of experts' weights, between processors that hold the same ones.
  double expert_seconds(double bytes) const;

  double gather_s(double bytes) const;
  double reduce_s(double bytes) const;
  /// The sum of the shards of all copies, where there are several.
  double copies_s(double bytes) const;

 private:
  double between(double bytes, const ProcessorGroup& group) const;

  const StepInputs& in_;
  ProcessorGroup all_, shards_, copies_, expert_copies_;
  double gradient_;  // bytes for one of weights
};

}  // namespace assay::model
