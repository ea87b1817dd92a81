// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The few numbers that say what a node does: bandwidth beyond the caches, latency at each level, the best
// GEMM rate of each dtype, the fabric's latency, bandwidth and message rate, copies between host and GPUs.
#pragma once

#include <string>
#include <vector>

#include "results/points/run_points.hpp"
#include "results/show/facts.hpp"

namespace assay::results {

struct Highlight {
  std::string back_end;  // host | cuda; empty where the label says it
  std::string label;     // "copy", "L2", "bf16"
  Number value;
  std::string unit;
  std::string detail;  // the axes it was reached at
  std::int64_t n = 0;
  std::optional<Number> efficiency = {};
  const char* efficiency_of = "peak";  // what 1 is
  std::string link_class = {};         // of a link that was not clean
  std::string still_moving = {};       // of a GPU that was still getting slower
  std::int64_t point = 0;              // id in the store
};

struct Highlights {
  std::vector<Highlight> bandwidth;  // per kernel: the highest at the largest footprint measured
  std::vector<Highlight>
      latency;  // per level: at the largest footprint within three quarters of it, then memory
  std::vector<Highlight> gemm;  // per dtype: the highest rate
  // Per operation: latency at the smallest size, bandwidth at the largest, the highest message rate.
  std::vector<Highlight> rdma_latency, rdma_bandwidth, rdma_rate;
  std::string rdma_unclean;       // "2 of 20 points not clean: ..."; empty where all are
  std::vector<Highlight> copies;  // per way, from and to page-locked memory and among GPUs: the highest
};

Highlights highlights_of(const RunPoints& run);

}  // namespace assay::results
