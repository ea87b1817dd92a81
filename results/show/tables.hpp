// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Each standard table's maker, of all its rows unless it says that there are more.
#pragma once

#include "results/points/run_points.hpp"
#include "results/show/show.hpp"

namespace assay::results {

inline constexpr std::int64_t default_row_limit = 500;
inline std::int64_t limit_of(const ShowOptions& options) {
  return options.limit > 0 ? options.limit : default_row_limit;
}

Table show_runs(const Store& store, const ShowOptions& options);
Table show_points(const RunPoints& run, const ShowOptions& options);
Table show_problems(const RunPoints& run, const ShowOptions& options);
Table show_cases(const RunPoints& run, const ShowOptions& options);
Table show_gemm(const RunPoints& run, const ShowOptions& options);
Table show_memory(const RunPoints& run, const ShowOptions& options);
Table show_latency(const RunPoints& run, const ShowOptions& options);
Table show_copies(const RunPoints& run, const ShowOptions& options);
Table show_rdma(const RunPoints& run, const ShowOptions& options);
Table show_rdma_latency(const RunPoints& run, const ShowOptions& options);
Table show_rdma_pairs(const RunPoints& run, const ShowOptions& options);
Table show_collectives(const RunPoints& run, const ShowOptions& options);
/// Over the points of the rdma module, by host and counter: what is not good first.
Table show_counters(const RunPoints& run, const ShowOptions& options);
/// Over the settings of each pattern, with those that no other beats.
Table show_tradeoffs(const RunPoints& run, const ShowOptions& options);
/// TCP, shared memory and verbs side by side.
Table show_transports(const RunPoints& run, const ShowOptions& options);
Table show_crossover(const RunPoints& run, const ShowOptions& options);
Table show_corruption(const Store& store, const ShowOptions& options);
Table show_detection(const RunPoints& run, const ShowOptions& options);

/// "Points of run X on node-a"; the origin is the table's.
std::string title_of(const std::string& what, const RunPoints& run);
/// Cut at the limit, which a note says.
Table within_limit(Table table, const ShowOptions& options);

}  // namespace assay::results
