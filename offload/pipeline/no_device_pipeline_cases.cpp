// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// In the place of the pipeline on a GPU, in a build without CUDA.
#include "offload/pipeline/device_pipeline_cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_pipeline_cases(const machine::Machine&) { return {}; }

}  // namespace assay::offload
