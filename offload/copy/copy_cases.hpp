// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.copy: what a host and a GPU of it copy to one another.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

/// Empty in a build without CUDA.
std::vector<core::Case> copy_cases(const machine::Machine& machine);

}  // namespace assay::offload
