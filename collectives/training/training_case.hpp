// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// collectives.training.step: data-parallel training steps that compute and learn, on the host.
#pragma once

#include "collectives/measure/collective_settings.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

core::Case training_case(const CaseMaker& maker);

}  // namespace assay::collectives
