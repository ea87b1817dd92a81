// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/overlap_points.hpp"

namespace assay::results {

AggressorCount aggressor_count(const Fields& axes) {
  for (const char* axis : {"blocks", "threads"})
    if (const auto count = field_integer(axes, {axis})) return {axis, *count};
  return {};
}

std::vector<OverlapPoint> pipeline_points(const RunPoints& run) { return run.measured("offload.*.pipeline"); }

std::vector<OverlapPoint> interference_points(const RunPoints& run) {
  return run.measured("offload.*.interference");
}

}  // namespace assay::results
