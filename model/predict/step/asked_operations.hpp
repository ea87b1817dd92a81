// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The collectives that a step runs: of each dimension of parallelism, among how many, and over which network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/predict/system/execution.hpp"

namespace assay::model {

struct AskedOperations {
  const char* dimension;  // "tensor"
  std::int64_t members;   // 2 or more; both ends of a message
  std::size_t tier;
  std::vector<Collective> operations;
};

/// Dimensions of one member ask nothing.
std::vector<AskedOperations> asked_operations(const Execution& execution);

}  // namespace assay::model
