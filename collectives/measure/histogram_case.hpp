// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// collectives.workload.histogram: the sizes of a published model's step, each timed by itself and weighted by
// how often a step has it, among 16 to 128 ranks by default (Gangidi et al. 2024: most collectives).
#pragma once

#include <string>
#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/training/training_step.hpp"

namespace assay::collectives {

/// Without compute and pipeline; tensor parallelism of up to 8, an expert for each rank.
training::TrainingStep published_step(const std::string& preset, const std::string& model,
                                      std::int64_t shrink, int ranks);

core::Case histogram_case(const CaseMaker& maker);

}  // namespace assay::collectives
