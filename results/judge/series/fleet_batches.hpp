// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All points of a fleet in order, run after run, read ahead by threads with connections of their own. What
// many points say alike is said once: a fleet has a million.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "harness/core/process/bounded_queue.hpp"
#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/series/point_sorts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Most points are plain: status ok, no doubt about them, and of no link.
struct BatchedPoint {
  const PointSort* sort = nullptr;  // of a plain one
  std::int64_t id = 0, process = 0;
  double time_s = 0, excess = 0;           // excess_of()
  std::uint64_t hash = 0;                  // hash_of_samples()
  bool is_aggregate = false;               // PointEvidence::is_aggregate()
  std::unique_ptr<FleetPoint> whole = {};  // of any other
};

struct FleetBatch {
  std::map<std::int64_t, ContextRecord> contexts = {};  // of its run, by process; with the first batch of it
  std::vector<BatchedPoint> points = {};
  bool ends_run = false;
};

/// hash_of_samples() of the point's samples, or of the summary where none were kept.
std::uint64_t hash_of_point(const std::string& metric, const FleetPoint& point);

class FleetBatches {
 public:
  /// `filter` as in points_in_order(). Until the last batch of the last run is taken, no one else may
  /// use the store: one without a file has a single connection. Points refer to this.
  FleetBatches(const Store& store, const std::string& filter, std::span<const StoredRun> runs);
  ~FleetBatches();
  FleetBatches(const FleetBatches&) = delete;
  FleetBatches& operator=(const FleetBatches&) = delete;

  /// The next batch of the run of this number. Ask for run after run, until its batch ends it. Throws what
  /// reading threw.
  FleetBatch next(std::size_t run);

 private:
  struct Reader;

  std::vector<std::unique_ptr<Reader>> readers_;
};

}  // namespace assay::results
