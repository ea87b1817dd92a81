// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The order in which each processor of a pipeline runs its passes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/predict/step/pipeline.hpp"

namespace assay::model {

enum class PassKind { forward, backward, weights, whole_backward };

/// `place` counts chunks along the way of a microbatch. `direction` 1 enters at the last processor.
struct PipelinePass {
  PassKind kind = PassKind::forward;
  int place = 0, microbatch = 0, direction = 0;
};

/// A pass, or two that run together and end together.
class PipelineStep {
 public:
  explicit PipelineStep(const PipelinePass& only) : passes_{only}, count_(1) {}
  PipelineStep(const PipelinePass& one, const PipelinePass& other) : passes_{one, other}, count_(2) {}

  std::span<const PipelinePass> passes() const { return std::span(passes_).first(count_); }

 private:
  std::array<PipelinePass, 2> passes_;
  std::size_t count_;
};

/// Orders by processor. 1F1B (Narayanan et al. 2019, "PipeDream"); interleaved (Narayanan et al. 2021, arXiv
/// 2104.04473); zero bubble with the memory of 1F1B, ZB-H1 (Qi et al. 2023, arXiv 2401.10241); DualPipe
/// (DeepSeek-AI 2024, arXiv 2412.19437).
std::vector<std::vector<PipelineStep>> pipeline_orders(const PipelineShape& shape);

}  // namespace assay::model
