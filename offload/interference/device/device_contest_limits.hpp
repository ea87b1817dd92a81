// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Capacity that a GPU and its host have for a contest, and why that is not enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "offload/interference/device/device_contest_settings.hpp"

namespace assay::offload {

struct ContestLimits {
  int sm_count = 0;
  int compute_capability = 0;  // 90 is 9.0
  std::int64_t l2_bytes = 0;
  std::int64_t free_device_bytes = 0, available_host_bytes = 0;
  int gpus = 1;                      // that this process sees
  std::int64_t free_peer_bytes = 0;  // on the one that a collective takes, where there is one
};
/// The limits of this device and of what else the settings name, now. Throws core::Error.
ContestLimits contest_limits(const DeviceContestSettings& settings, int gpu);

/// Why this machine cannot run it, said before anything is allocated, with the bytes where those are why.
std::optional<std::string> cannot_contest(const DeviceContestSettings& settings, const ContestLimits& limits);

}  // namespace assay::offload
