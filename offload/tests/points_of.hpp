// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points of a case that a plan runs of its default sweep.
#pragma once

#include <set>
#include <string>

#include "harness/core/measure/benchmark.hpp"

namespace assay::offload {

inline std::set<std::string> points_of(const core::Case& benchmark) {
  std::set<std::string> keys;
  for (const core::Point& point : core::sweep(benchmark.axes))
    keys.insert((benchmark.representative ? benchmark.representative(point) : point).key());
  return keys;
}

}  // namespace assay::offload
