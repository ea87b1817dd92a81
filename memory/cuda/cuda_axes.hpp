// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes that the CUDA memory cases share, and the points of the streaming ones.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/device_place.hpp"

namespace assay::memory {

/// gpu, bytes (4 MiB to 4 GiB: from inside the L2 to far beyond it), cache_state (hot, cold).
std::vector<core::Axis> cuda_stream_axes();

struct CudaStreamSettings {
  std::int64_t bytes = 0;  // of all arrays of one set
  bool hot = false;
  bool by_bulk = false;  // copied by the bulk copy engine
  cuda::DevicePlace place = {};
};

/// Settings that the streaming cases share. `arrays`: how many share the footprint. Throws a usage Error
/// where it is too small for them.
CudaStreamSettings cuda_stream_settings(const core::Point& point, int arrays);

template <int Arrays>
struct DeclaredCudaStream {
  using Settings = CudaStreamSettings;
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes() { return cuda_stream_axes(); }
  static Settings settings(const core::Point& point) { return cuda_stream_settings(point, Arrays); }
};

/// bytes for the latency ladder: 32 KiB (L1) to 4 GiB.
core::Axis cuda_ladder_axis();

}  // namespace assay::memory
