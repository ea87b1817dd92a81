// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The module's lists of cases one by one, as its CMakeLists.txt names them.
#pragma once

#include <vector>

#include "gemm/cases.hpp"

namespace assay::gemm {

std::vector<core::Case> device_corruption_cases(const machine::Machine& machine);
std::vector<core::Case> host_corruption_cases(const machine::Machine& machine);
std::vector<core::Case> measured_device_gemm_cases(const machine::Machine& machine);

}  // namespace assay::gemm
