// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of exchanges to a pass through layers that computes meanwhile: gradients in buckets behind a
// backward pass, weights gathered ahead of a forward pass.
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

std::vector<core::Case> overlap_cases(const CaseMaker& maker);

}  // namespace assay::collectives
