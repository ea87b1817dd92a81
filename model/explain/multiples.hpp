// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Multiples of a step, as dimensions of models are rounded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace assay::model {

inline std::int64_t next_multiple(std::int64_t number, std::int64_t step) {
  return (number + step - 1) / step * step;
}

/// The larger of two that are as near; at least one step.
inline std::int64_t nearest_multiple(double number, std::int64_t step) {
  return std::max<std::int64_t>(1, std::llround(number / static_cast<double>(step))) * step;
}
inline std::int64_t nearest_multiple(std::int64_t number, std::int64_t step) {
  return nearest_multiple(static_cast<double>(number), step);
}

}  // namespace assay::model
