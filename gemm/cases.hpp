// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the gemm module measures.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {

/// matmul, transformer, corruption and corruption_self_test of gemm.host and of gemm.cuda; the CUDA ones only
/// in builds with a toolkit.
std::vector<core::Case> cases(const machine::Machine& machine);

std::vector<core::Case> host_cases(const machine::Machine& machine);
std::vector<core::Case> cuda_cases(const machine::Machine& machine);
std::vector<core::Case> host_corruption_cases(const machine::Machine& machine);
std::vector<core::Case> cuda_corruption_cases();

}  // namespace assay::gemm
