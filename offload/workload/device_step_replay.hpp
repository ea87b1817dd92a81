// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step's traffic between a GPU's memory and pinned memory of its host: a stream and a thread for each
// direction, and the copy engines do the rest.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/handles.hpp"
#include "offload/copy/host_memory.hpp"
#include "offload/workload/step_layout.hpp"
#include "offload/workload/step_progress.hpp"

namespace assay::offload {

class DeviceStepReplay {
 public:
  /// On the current device, with host memory on `node`. `step` must outlive it. Throws core::Error.
  DeviceStepReplay(const training::HostStep& step, int gpu, int node);

  /// Targets are spoiled before, outside of the time.
  HostStepTimes run();
  std::optional<std::string> wrong() const;

 private:
  void spoil();
  void move_all(Direction direction, StepProgress& progress);

  const training::HostStep& step_;
  int gpu_;
  StepLayout layout_;
  cuda::DeviceBuffer near_;
  HostMemory far_;
  std::array<cuda::Stream, 2> streams_;  // by Direction
};

}  // namespace assay::offload
