// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.pipeline: the case of the pipeline on a GPU.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

/// Empty in a build without CUDA.
std::vector<core::Case> device_pipeline_cases(const machine::Machine& machine);

}  // namespace assay::offload
