// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One data-parallel rank: its weights, data and optimiser. A step is pass(), the exchange by the caller, and
// update().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collectives/training/adamw.hpp"
#include "collectives/training/language_model.hpp"
#include "collectives/training/step_log.hpp"

namespace assay::collectives {

class TrainingRank {
 public:
  TrainingRank(const ModelShape& shape, int rank, int ranks, std::unique_ptr<MatrixProducts> products);

  /// Back to the weights and the data that training begins with, the same each time.
  void restart();
  /// The step that is next, from 0.
  std::int64_t step() const { return step_; }

  /// Forward and backward over this rank's tokens of the step.
  void pass();
  /// This rank's gradients, which the exchange leaves as they are.
  std::span<const float> gradients() const { return gradients_.all(); }
  /// For the exchange to write: the sum over ranks. With one rank unused.
  std::span<float> summed() { return summed_.all(); }
  /// AdamW by the mean over ranks.
  void update();
  /// Marks the step that update() ended.
  StepMark mark() const;

  std::vector<core::Fact> facts() const { return products_->facts(); }

 private:
  ModelShape shape_;
  int rank_, ranks_;
  std::unique_ptr<MatrixProducts> products_;
  LanguageModel model_;
  AlignedFloats weights_, gradients_, summed_;
  ModelTensors weight_tensors_, gradient_tensors_;
  AdamW optimiser_;
  std::int64_t step_ = 0;
  double loss_ = 0;
};

}  // namespace assay::collectives
