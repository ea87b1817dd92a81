// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a case of this room sweeps.
#pragma once

#include <vector>

#include "collectives/problem.hpp"
#include "harness/core/axis.hpp"

namespace assay::collectives {

enum class BackEnd { assay, mpi, nccl };

std::vector<core::Axis> axes_of(BackEnd back_end, Operation operation);

}  // namespace assay::collectives
