// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory module's CUDA cases.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::memory {

std::vector<core::Case> cuda_cases(const machine::Machine& machine);

}  // namespace assay::memory
