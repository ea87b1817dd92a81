// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A preset (harness/training/presets.hpp) at a size that a host, or a node of GPUs, runs.
#pragma once

#include <cstdint>
#include <string>

#include "harness/training/training_step.hpp"

namespace assay::collectives {

enum class StepScale { host, gpus };

/// Blocks of `hidden`. On hosts heads of 32, 128 tokens, buckets of 1 MiB, compute at 1 TFLOP/s a rank; on
/// GPUs heads of 128, 2,048 tokens, the preset's buckets and TFLOP/s. Two tensor ranks where that divides the
/// ranks, and two pipeline stages where four do. Throws a usage Error for sizes that do not divide.
training::TrainingStep small_step(const std::string& preset, int ranks, std::int64_t layers,
                                  std::int64_t hidden, StepScale scale = StepScale::host);

}  // namespace assay::collectives
