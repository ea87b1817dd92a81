// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The movement of a counter within the window. One that did not move, one that could not be read and one that
// was reset are three different things, and only the first is good.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {

struct Movement {
  std::optional<std::uint64_t> moved;
  std::string why_unknown;  // why `moved` is empty
};

/// False for all ones in 32 or 64 bits, which full counters show and devices that do not answer, and for what
/// no device can have counted.
bool is_believable(std::uint64_t count);

Movement movement_of(const Scene& scene, const Counter& now);

/// Between the two readings; 0 where there is but one.
double window_s(const Scene& scene);

}  // namespace assay::health
