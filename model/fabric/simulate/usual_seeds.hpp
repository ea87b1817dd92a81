// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of hash seeds that a simulation needs where none is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "model/fabric/simulate/fabric_model.hpp"

namespace assay::model::fabric {

struct UsualSeeds {
  std::uint32_t count = 1;
  std::string reason = {};  // a sentence, where it is not the most
};

/// 20 where hashing decides; 5 on more than 1,024 GPUs and 1 on more than
/// 8,192, which bounds the time; 1 where no switch hashes.
UsualSeeds usual_seeds(const FabricModel& model);

}  // namespace assay::model::fabric
