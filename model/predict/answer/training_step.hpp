// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A predicted step as what every GPU computes and exchanges, in streams that a fabric can be asked about.
#pragma once

#include "harness/training/training_step.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {

using training::StepOperation;
using training::StepStream;
using training::TrainingStep;

/// Whether training_step() has operations for all that this execution does.
bool has_training_step(const Execution& execution);

/// The training step of a feasible prediction. Ranks count along tensor parallelism first, then pipeline,
/// then data. What overlaps is a stream of its own, its operations of one kind added up into one: exchanges
/// of tiled layers next to all passes, and the exchange of gradients next to the backward pass of the last
/// microbatch, but for that of the last block. Bubble, embedding and head are compute.
TrainingStep training_step(const Configuration& configuration, const Prediction& prediction);

}  // namespace assay::model
