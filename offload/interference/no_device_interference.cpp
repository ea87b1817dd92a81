// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The build without CUDA.
#include "offload/interference/device_interference_cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_interference_cases() { return {}; }

}  // namespace assay::offload
