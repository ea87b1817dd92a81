// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// Copies between GPUs of an NVLink domain that joins nodes.
std::vector<core::Case> domain_cases(const CaseMaker& maker);

}  // namespace assay::collectives
