// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What work costs that runs at the same time as other work: the points of pipelines and interference.
#pragma once

#include <string>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

using OverlapPoint = MeasuredPoint;

/// Of an interference point: how many thread blocks of a GPU, or threads of a host, the aggressor has; 0 is
/// no load, a control, which says how quiet the machine was. Empty where the point has no such axis.
struct AggressorCount {
  std::string axis;
  std::int64_t count = 1;
};
AggressorCount aggressor_count(const Fields& axes);

/// Of offload.*.pipeline and of offload.*.interference.
std::vector<OverlapPoint> pipeline_points(const RunPoints& run);
std::vector<OverlapPoint> interference_points(const RunPoints& run);

}  // namespace assay::results
