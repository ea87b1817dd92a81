// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of the gemm module, from the CASES in its CMakeLists.txt.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {

using Surroundings = machine::Machine;

/// matmul, transformer, attention, corruption and corruption_self_test of gemm.host and of gemm.cuda, and
/// products of a whole node.
std::vector<core::Case> cases(const machine::Machine& machine);

}  // namespace assay::gemm
