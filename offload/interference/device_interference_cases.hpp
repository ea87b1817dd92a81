// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The case of the interference matrix on a GPU: its axes, and which points a GPU can run.
#pragma once

#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

/// offload.cuda.interference; none in a build without CUDA.
std::vector<core::Case> device_interference_cases(const Surroundings& around);

}  // namespace assay::offload
