// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The case of the interference matrix on a GPU: its axes, and which points a GPU can run.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

/// offload.cuda.interference; none in a build without CUDA.
std::vector<core::Case> device_interference_cases(const machine::Machine& machine);

}  // namespace assay::offload
