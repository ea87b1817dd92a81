// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What each of two ways reaches by itself while both copy at once: medians of 9 copies timed apart.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "offload/copy/two_streams.hpp"

namespace assay::offload {

/// Of `bytes` each way, in GB/s; a way that took no time is left out.
void add_rates_apart(std::vector<core::Metric>& metrics, const std::array<const char*, 2>& names,
                     std::int64_t bytes, const std::function<TwoStreams::Seconds()>& time_each);

}  // namespace assay::offload
