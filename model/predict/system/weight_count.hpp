// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Weights of a model, without the biases that Calculon's blocks have.
#pragma once

#include "model/predict/system/application.hpp"

namespace assay::model {

struct WeightCount {
  double all = 0;
  double a_token = 0;  // those of the experts that a token takes, and all others
};
/// Counts matrices, norms and what states, indexers and sinks keep. Heads without kv_heads are as many of
/// keys and values. Not counted: `mtp_blocks`, which add_further_tokens() of layers trains too.
WeightCount weight_count(const Application& application);
/// Weights of `mtp_blocks`.
double further_weight_count(const Application& application);

}  // namespace assay::model
