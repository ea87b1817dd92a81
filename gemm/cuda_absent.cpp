// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no CUDA toolkit.
#include "gemm/cases.hpp"

namespace assay::gemm {

std::vector<core::Case> cuda_cases(const machine::Machine&) { return {}; }
std::vector<core::Case> cuda_corruption_cases() { return {}; }

}  // namespace assay::gemm
