// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of exchanges by NCCL to a pass on GPUs that computes meanwhile.
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

std::vector<core::Case> nccl_overlap_cases(const CaseMaker& maker);

}  // namespace assay::collectives
