// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of a contest on a GPU beyond contest_metrics(): how much was lost of the clock, how much of the
// processor, and what victim and aggressor reached.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "offload/interference/device/device_contest.hpp"

namespace assay::offload {

/// Work of the victim, and multiprocessors of the GPU.
struct VictimWork {
  double quantum_bytes = 0, quantum_flops = 0;
  std::optional<std::int64_t> blocks_of_work = {};
  int sm_count = 0;
  std::optional<int> taken = {};  // multiprocessors that the aggressor holds, where that is known
};

/// With intervals; every ratio is of one sample. Metrics of a clock that was not read are left out.
std::vector<core::Metric> device_contest_metrics(const std::vector<DeviceContestTimes>& times,
                                                 const VictimWork& victim);

}  // namespace assay::offload
