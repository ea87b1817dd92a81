// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/device_checkpoint_declarations.hpp"

#include "harness/core/units.hpp"
#include "harness/cuda/device_place.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

std::vector<core::Axis> DeclaredDeviceCheckpoint::axes() {
  std::vector<core::Axis> all = checkpoint_axes();
  for (core::Axis& axis : all)
    if (axis.name == "bytes") axis.values = {4 * core::gib};
  all.push_back(snapshot_axis());
  all.push_back(
      {"gemm_n", "compute: bf16 products of n x n matrices", core::Domain::integers, {std::int64_t{8192}}});
  all.push_back(node_axis("numa", "NUMA node of the snapshot; local: any"));
  all.push_back(cuda::gpu_axis());
  return all;
}

std::vector<core::Case> device_checkpoint_declarations_cases(const Surroundings&) {
  return {core::declared_case<DeclaredDeviceCheckpoint>()};
}

}  // namespace assay::offload
