// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// offload.cuda.checkpoint: a checkpoint of a GPU's memory, in two stages beside its products.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

std::vector<core::Case> device_checkpoint_cases(const Surroundings& around);

}  // namespace assay::offload
