// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// collectives.workload.preset, .histogram and .file: training steps of many collectives, on host memory.
#pragma once

#include <vector>

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/benchmark.hpp"

namespace assay::collectives {

/// Of a preset (harness/training/presets.hpp) at a size that a host runs: blocks of `hidden` with heads of
/// 32, 128 tokens, buckets of 1 MiB, compute at 1 TFLOP/s a rank. Two tensor ranks where that divides the
/// ranks, and two pipeline stages where four do. Throws a usage Error for sizes that do not divide.
training::TrainingStep small_step(const std::string& preset, int ranks, std::int64_t layers,
                                  std::int64_t hidden);

std::vector<core::Case> step_cases(const CaseMaker& maker);

}  // namespace assay::collectives
