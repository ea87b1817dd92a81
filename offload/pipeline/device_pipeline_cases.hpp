// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.pipeline: the case of the pipeline on a GPU.
#pragma once

#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_pipeline_cases(const Surroundings& around);

}  // namespace assay::offload
