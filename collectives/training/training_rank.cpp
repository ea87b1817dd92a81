// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/training_rank.hpp"

#include <utility>

namespace assay::collectives {
namespace {

constexpr std::uint64_t weights_seed = 1;

}  // namespace

TrainingRank::TrainingRank(const ModelShape& shape, int rank, int ranks,
                           std::unique_ptr<MatrixProducts> products)
    : shape_(shape),
      rank_(rank),
      ranks_(ranks),
      products_(std::move(products)),
      model_(shape, *products_),
      weights_(parameter_elements(shape)),
      gradients_(parameter_elements(shape)),
      summed_(parameter_elements(shape)),
      weight_tensors_(tensors_in(shape, weights_.all())),
      gradient_tensors_(tensors_in(shape, gradients_.all())),
      optimiser_(parameter_elements(shape), shape.hidden) {
  restart();
}

void TrainingRank::restart() {
  initialise(shape_, weights_seed, weights_.all());
  optimiser_.restart();
  step_ = 0;
}

void TrainingRank::pass() {
  const TokenBatch batch = token_batch(shape_, step_, rank_);
  loss_ = model_.forward(weight_tensors_, batch);
  model_.backward(weight_tensors_, batch, gradient_tensors_);
}

void TrainingRank::update() {
  optimiser_.update(weights_.all(), ranks_ > 1 ? summed_.all() : gradients_.all(),
                    1 / static_cast<float>(ranks_));
  ++step_;
}

StepMark TrainingRank::mark() const {
  return {.loss = loss_, .gradients = mark_of(gradients_.all()), .weights = mark_of(weights_.all())};
}

}  // namespace assay::collectives
