// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint of a GPU's memory as a plan and a list see it, in builds with and without CUDA or liburing.
#pragma once

#include <string_view>
#include <vector>

#include "offload/checkpoint/checkpoint_declarations.hpp"

namespace assay::offload {

struct DeclaredDeviceCheckpoint : DeclaredCheckpoint {
  static constexpr std::string_view name = "offload.cuda.checkpoint";
  static constexpr std::string_view measures =
      "a checkpoint of device memory during its products: snapshot, then saved and committed";
  static std::vector<core::Axis> axes();
};

/// For a build that cannot make it.
std::vector<core::Case> device_checkpoint_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
