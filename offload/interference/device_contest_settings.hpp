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
  int gpus = 1;                      // that this process sees
  std::int64_t free_peer_bytes = 0;  // on the one that a collective takes, where there is one
};
/// Of this device and of what else the settings name, now. Throws core::Error.
ContestLimits contest_limits(const DeviceContestSettings& settings, int gpu);

/// Why these two cannot meet on any machine.
std::optional<std::string> cannot_meet(const DeviceContestSettings& settings);

/// Why this machine cannot run it, said before anything is allocated, with the bytes where those are why.
std::optional<std::string> cannot_contest(const DeviceContestSettings& settings, const ContestLimits& limits);

}  // namespace assay::offload
