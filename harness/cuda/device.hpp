// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GPU that is used, its properties, and why there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/device_place.hpp"

namespace assay::cuda {

/// Why no kernel of this build can run in this process, in the driver's own words ("no CUDA-capable device is
/// detected"); empty when the first device runs them. Asked once per process.
std::optional<std::string> device_unavailable();

/// Why this very device cannot be used: there is none at all, or not that many.
std::optional<std::string> device_unavailable(int gpu);
/// Why the device of this point cannot be used.
std::optional<std::string> device_unavailable(const core::Point& point);

struct Device {
  int index = 0;
  std::string name;
  std::string pci_address;  // as sysfs writes it: 0000:1b:00.0
  int compute_major = 0, compute_minor = 0;
  int sm_count = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int max_shared_bytes_per_block = 0;  // with the opt-in
};

/// Throws core::Error(cuda) in the driver's words.
Device describe_device(int index);

/// ("cuda_driver", "13.0"), ("cuda_runtime", "13.0"): what the driver supports, and what this program is
/// linked with.
std::vector<core::Fact> version_facts();

}  // namespace assay::cuda
