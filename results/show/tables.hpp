// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Each standard table's maker; for results/show alone.
#pragma once

#include "results/points/summary_point_limit.hpp"
#include "results/show/show.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

inline constexpr std::int64_t default_row_limit = 500;

Table show_runs(const Store& store, const ShowOptions& options);
Table show_points(const Store& store, const ShowOptions& options);
Table show_problems(const Store& store, const ShowOptions& options);
Table show_cases(const Store& store, const ShowOptions& options);
Table show_gemm(const Store& store, const ShowOptions& options);
Table show_memory(const Store& store, const ShowOptions& options);
Table show_latency(const Store& store, const ShowOptions& options);
Table show_copies(const Store& store, const ShowOptions& options);
Table show_rdma(const Store& store, const ShowOptions& options);
Table show_rdma_latency(const Store& store, const ShowOptions& options);
Table show_rdma_pairs(const Store& store, const ShowOptions& options);
Table show_collectives(const Store& store, const ShowOptions& options);
Table show_crossover(const Store& store, const ShowOptions& options);
Table show_corruption(const Store& store, const ShowOptions& options);
Table show_detection(const Store& store, const ShowOptions& options);

/// "Points of run X on node-a, measured".
std::string title_of(const std::string& what, const Store& store, const StoredRun& run);
/// Cuts the table at the limit and says so in a note.
void apply_limit(Table& table, const ShowOptions& options);

}  // namespace assay::results
