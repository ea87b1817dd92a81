// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of checkpoints, from host memory to a folder and back.
#pragma once

#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

std::vector<core::Case> checkpoint_cases(const Surroundings& around);

}  // namespace assay::offload
