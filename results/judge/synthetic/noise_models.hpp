// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kinds of noise under which the judge of fleets is tried.
#pragma once

#include <vector>

#include "results/judge/synthetic/synthetic_fleet.hpp"

namespace assay::results {

struct NoiseModel {
  const char* name;
  FleetShape shape;
};

/// Of fleets of so many nodes of 8 GPUs.
std::vector<NoiseModel> noise_models(int nodes);

}  // namespace assay::results
