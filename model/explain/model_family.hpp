// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of a model, and models from 1 to 128 trillion parameters: those of "Scaling Infrastructure to
// Support Multi-Trillion Parameter LLM Training".
#pragma once

#include <vector>

#include "model/explain/explanation.hpp"

namespace assay::model {

/// Blocks with biases and norms, an embedding of 51,200 words and a position each, as Calculon's parameter
/// calculator counts; of an application with a vocabulary, its own embedding and head in their place.
double parameter_count(const Application& application);

/// 128 to 480 blocks in steps of 32: as many heads as blocks, hidden / blocks = 192 + 1/3 (blocks - 128),
/// hidden at the nearest multiple of 1,024, heads at the nearest of 32, feedforward 4 hidden, 8,192 tokens.
std::vector<NamedApplication> trillion_models();

}  // namespace assay::model
