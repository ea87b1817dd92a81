// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run's measurements of GEMMs, of collectives, over sizes and of interference, as the CSV that `assay fit`
// reads (docs/reference/files.md).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// The data type of a collective whose record does not state it.
inline constexpr const char* unknown_dtype = "unknown";

/// The point that a row is of.
struct TimedPoint {
  std::string host, case_name, key;
};

/// A run that has none of the timings that were asked for.
class NoTimings : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TimingsCsv {
  std::string text;
  std::int64_t rows = 0;
  std::int64_t left_out = 0;  // points that are not ok, or that are stamped as no performance measurement
  std::vector<TimedPoint> points = {};  // of the rows
  std::string origin = {};              // of all of them: "measured", or "measured and simulated"
};

/// GEMM timings of that run, or the latest: a row for each shape, type and condition, repetitions joined;
/// times in us. As from all functions here, only of points that `filter` matches, as in points_in_order().
/// What must not be fitted together (back end, operand layout, data, cache state, algorithm, threads) makes
/// up the column `layout`. Throws NoTimings with one line where the run has none, std::runtime_error where it
/// is of two machines.
TimingsCsv gemm_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                            const std::string& filter = {});

/// Collective timings, likewise: `nodes` are those that the ranks are on, empty where the record does not
/// say, `algorithm` is the contender, as the crossover table names it, and `source` is the host, the back end
/// and every other axis of the point.
TimingsCsv collective_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                                  const std::string& filter = {});

/// `region` is the smallest cache of the threads together that holds a host's footprint, or memory; elsewhere
/// the cache state of the record. `size_bytes` are the bytes moved, reads and writes each counted.
TimingsCsv memory_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                              const std::string& filter = {});

/// Vector kernels of a transformer. `size_bytes` are those of one tensor, elements times their width, and
/// never the traffic. There is no `region`: the pieces of a fit find where a cache ends.
TimingsCsv vector_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                              const std::string& filter = {});

/// Copies between host and GPU. `size_bytes` are bytes each way, also where both ways run at once.
TimingsCsv link_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                            const std::string& filter = {});

/// Times of one message: half a ping-pong (`latency`), or from one to the next in the steady state
/// (`stream`). Reads, whose latency is a round trip, and points over a lossy or faulty link are left out.
TimingsCsv verbs_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                             const std::string& filter = {});

/// A victim's time while an aggressor runs, over its time alone.
TimingsCsv slowdowns_csv(const Store& store, const std::optional<std::string>& run_id,
                         const std::string& filter = {});

/// Passes with exchanges, of which something could be hidden: each alone, both together, and the ideal.
TimingsCsv overlaps_csv(const Store& store, const std::optional<std::string>& run_id,
                        const std::string& filter = {});

}  // namespace assay::results
