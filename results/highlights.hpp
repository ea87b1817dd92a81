// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The few numbers that say what a node does: bandwidth beyond the caches, latency at each level, the best
// GEMM rate of each dtype.
#pragma once

#include <string>
#include <vector>

#include "results/facts.hpp"
#include "results/stored_points.hpp"

namespace assay::results {

struct Highlight {
  std::string back_end;  // host | cuda
  std::string label;     // "copy", "L2", "bf16"
  Number value;
  std::string unit;
  std::string detail;  // the axes it was reached at
  std::int64_t n = 0;
  std::optional<Number> efficiency = {};
  std::int64_t point = 0;  // id in the store
};

struct Highlights {
  std::vector<Highlight> bandwidth;  // per kernel: the highest at the largest footprint measured
  std::vector<Highlight>
      latency;  // per level: at the largest footprint within three quarters of it, then memory
  std::vector<Highlight> gemm;  // per dtype: the highest rate
};

Highlights highlights_of(const Store& store, const StoredRun& run);

}  // namespace assay::results
