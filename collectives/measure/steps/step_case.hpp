// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// collectives.workload.*: training steps of many collectives, on host memory and by NCCL on a GPU's.
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

std::vector<core::Case> step_cases(const CaseMaker& maker);

}  // namespace assay::collectives
