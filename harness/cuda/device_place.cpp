// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/device_place.hpp"

#include <algorithm>
#include <cstdint>

#include "harness/core/measure/assumed_hardware.hpp"

namespace assay::cuda {

int device_count() {
  const auto assumed = core::assumed_hardware();
  return assumed ? assumed->gpus : visible_devices();
}

core::Axis gpu_axis() {
  core::Axis axis{.name = "gpu", .meaning = "CUDA device index", .values = {}, .unit_kind = "gpu"};
  const int offered = std::max(1, device_count());
  for (int device = 0; device < offered; ++device) axis.values.emplace_back(std::int64_t{device});
  return axis;
}

int gpu_of(const core::Point& point) { return point.has("gpu") ? static_cast<int>(point.integer("gpu")) : 0; }

}  // namespace assay::cuda
