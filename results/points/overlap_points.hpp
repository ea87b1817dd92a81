// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What work cost that ran beside other work: the points of pipelines and interference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

struct OverlapPoint {
  StoredPoint point;
  std::map<std::string, Number> metrics;  // of the last repetition

  Number metric(const std::string& name) const;  // NaN where the record has none
};

/// Of an interference point: how many thread blocks of a GPU, or threads of a host, the aggressor has; 0 is
/// nobody, a control, which says how quiet the machine was. Empty where the point has no such axis.
struct AggressorCount {
  std::string axis;
  std::int64_t count = 1;
};
AggressorCount aggressor_count(const Fields& axes);

/// Ok points of offload.*.pipeline and offload.*.interference, in the order measured.
std::vector<OverlapPoint> pipeline_points(const Store& store, const StoredRun& run);
std::vector<OverlapPoint> interference_points(const Store& store, const StoredRun& run);

}  // namespace assay::results
