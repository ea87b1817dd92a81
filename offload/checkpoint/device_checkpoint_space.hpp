// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a GPU and its host hold what a checkpoint of it needs. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/measure/axis.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

struct DeviceCheckpointSize {
  std::int64_t bytes = 0;   // of the state
  std::int64_t gemm_n = 0;  // of the products next to it
  int gpu = 0;
  int node = -1;  // of the snapshot
};

/// Throws a usage Error naming axis and value.
DeviceCheckpointSize device_checkpoint_size(const core::Point& point);

/// Said before anything is allocated, with the bytes. Available bytes of 0 are not known.
std::optional<std::string> why_no_space(const machine::Machine& machine, const DeviceCheckpointSize& size,
                                        std::int64_t available_on_device, std::int64_t available_on_host);

}  // namespace assay::offload
