// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points of pipelines and interference: the cost of work that runs at the same time as other work.
#pragma once

#include <string>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

using OverlapPoint = MeasuredPoint;

/// The number of thread blocks of a GPU, or threads of a host, that the aggressor of an interference point
/// has; 0 means no load, a control, which says how quiet the machine was. Empty where the point has no such
/// axis.
struct AggressorCount {
  std::string axis;
  std::int64_t count = 1;
};
AggressorCount aggressor_count(const Fields& axes);

/// Points of offload.*.pipeline and of offload.*.interference.
std::vector<OverlapPoint> pipeline_points(const RunPoints& run);
std::vector<OverlapPoint> interference_points(const RunPoints& run);

}  // namespace assay::results
