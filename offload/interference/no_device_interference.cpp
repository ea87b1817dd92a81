// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// In the place of the CUDA case, in a build without CUDA.
#include "offload/interference/device_interference_cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_interference_cases(const machine::Machine&) { return {}; }

}  // namespace assay::offload
