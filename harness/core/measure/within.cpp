// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/within.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"

namespace assay::core {

std::int64_t within(const Point& point, std::string_view axis, std::int64_t least, std::int64_t most) {
  const std::int64_t value = point.integer(axis);
  if (value < least || value > most)
    usage_error(fmt::format("{}={}: expected {} to {}", axis, value, least, most));
  return value;
}

}  // namespace assay::core
