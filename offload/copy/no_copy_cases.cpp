// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// In the place of the CUDA cases, in a build without CUDA.
#include "offload/copy/copy_cases.hpp"

namespace assay::offload {

std::vector<core::Case> copy_cases(const machine::Machine&) { return {}; }

}  // namespace assay::offload
