// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text that can be learnt: each token has one that mostly follows it (7 of 8), else any follows.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/training/model_shape.hpp"

namespace assay::collectives {

/// Tokens by sequence and position, and for each the one that follows.
struct TokenBatch {
  std::vector<std::int32_t> inputs, targets;
};

/// Depends on nothing but its arguments.
TokenBatch token_batch(const ModelShape& shape, std::int64_t step, int rank);

}  // namespace assay::collectives
