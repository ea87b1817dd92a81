// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// In the place of the CUDA cases, in a build without CUDA.
#include "memory/cuda_cases.hpp"

namespace assay::memory {

std::vector<core::Case> cuda_cases(const machine::Machine&) { return {}; }

}  // namespace assay::memory
