// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The three files of a prediction, with the values that a question replaces.
#pragma once

#include "harness/front/answers/predict_answer.hpp"
#include "model/json/json_document.hpp"
#include "model/predict/answer/system_source.hpp"

namespace assay::answers {

struct PredictInputs {
  model::JsonDocument application, execution;
  model::SystemSource source;
};

/// Throws a usage Error for a setting whose key none of the files has or several have, and for a number of
/// GPUs that the execution's groups do not divide.
PredictInputs read_inputs(const PredictQuestion& question);

}  // namespace assay::answers
