// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Place of a CUDA case, as its declaration says it: read by builds with and without CUDA.
#pragma once

#include "harness/core/measure/axis.hpp"

namespace assay::cuda {

struct DevicePlace {
  int gpu = 0;
};

/// Devices this process sees; 0 where there is none, and in a build without CUDA.
int visible_devices();
/// Devices for which points are planned: those assumed (core::assumed_hardware), else those visible.
int device_count();

/// The axis `gpu`: CUDA device index, every visible one by default, 0 where there is none.
core::Axis gpu_axis();
/// The `gpu` coordinate of a point; 0 when it has none.
int gpu_of(const core::Point& point);

}  // namespace assay::cuda
