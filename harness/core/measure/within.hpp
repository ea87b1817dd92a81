// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of an axis, within the range that a benchmark takes.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/core/measure/axis.hpp"

namespace assay::core {

/// Throws a usage Error "tokens=0: expected 1 to 8" where it lies outside.
std::int64_t within(const Point& point, std::string_view axis, std::int64_t least, std::int64_t most);

}  // namespace assay::core
