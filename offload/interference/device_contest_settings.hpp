// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point of the matrix on a GPU as settings, and why a GPU cannot run it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/benchmark.hpp"
#include "offload/interference/device_contest.hpp"

namespace assay::offload {

/// Throws a usage Error naming axis and value.
DeviceContestSettings device_contest_settings(const core::Point& point);

/// What a GPU and its host have for a contest.
struct ContestLimits {
  int sm_count = 0;
  int compute_capability = 0;  // 90 is 9.0
  std::int64_t l2_bytes = 0;
  std::int64_t free_device_bytes = 0, available_host_bytes = 0;
};
/// Of this device and NUMA node, now. Throws core::Error.
ContestLimits contest_limits(int gpu, int node);

/// Why it cannot be run, said before anything is allocated, with the bytes where those are why.
std::optional<std::string> cannot_contest(const DeviceContestSettings& settings, const ContestLimits& limits);

}  // namespace assay::offload
