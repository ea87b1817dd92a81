// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes that a case of this module sweeps.
#pragma once

#include <string_view>
#include <vector>

#include "collectives/problem.hpp"
#include "harness/core/measure/axis.hpp"

namespace assay::collectives {

/// assay_device: assay's algorithms on device memory, over NCCL's sends and receives.
enum class BackEnd { assay, mpi, nccl, assay_device };

constexpr bool has_algorithms(BackEnd back_end) {
  return back_end == BackEnd::assay || back_end == BackEnd::assay_device;
}
constexpr bool on_device(BackEnd back_end) {
  return back_end == BackEnd::nccl || back_end == BackEnd::assay_device;
}

/// assay's algorithms of the operation: all by default, or only that one.
core::Axis algorithm_axis(Operation operation, std::string_view only = {});
std::vector<core::Axis> axes_of(BackEnd back_end, Operation operation);

}  // namespace assay::collectives
