// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/cases.hpp"
namespace assay::gemm {
std::vector<core::Case> cuda_corruption_cases() { return {}; }
}  // namespace assay::gemm
