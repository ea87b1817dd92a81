// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases gemm.cuda.matmul and gemm.cuda.transformer.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {

std::vector<core::Case> measured_device_gemm_cases(const machine::Machine& machine);

}  // namespace assay::gemm
