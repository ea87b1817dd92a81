// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the memory module measures, from the CASES in its CMakeLists.txt.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::memory {

using Surroundings = machine::Machine;

/// The host's cases, then CUDA's.
std::vector<core::Case> cases(const machine::Machine& machine);

}  // namespace assay::memory
