// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a pipeline on a GPU needs beside the step: which GPU, where the far memory lies, and whether it fits.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/machine/machine.hpp"
#include "offload/pipeline/step_settings.hpp"

namespace assay::offload {

struct DevicePipelineSettings : StepSettings {
  int gpu = 0;
  int far_node = -1;
};

/// Throws a usage Error naming axis and value.
DevicePipelineSettings device_pipeline_settings(const core::Point& point);

/// Bytes of device memory: the slots, as many that are never copied to, the inputs and cuBLASLt's workspace.
std::int64_t device_bytes(const DevicePipelineSettings& settings);

/// Why the memories do not hold it; said before anything is allocated, with the bytes. Available bytes of 0
/// are not known.
std::optional<std::string> why_no_space(const machine::Machine& machine,
                                        const DevicePipelineSettings& settings,
                                        std::int64_t available_on_device, std::int64_t available_on_host);

}  // namespace assay::offload
