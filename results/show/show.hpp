// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The standard tables of a store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct ShowOptions {
  std::optional<std::string> run = {};  // a run id; none or "latest": the latest run
  std::string filter = {};              // glob over the case name, or over "case/key"; empty takes all
  std::int64_t limit = 0;               // rows at most; 0: 500
};

struct TableName {
  std::string name, about;
};

/// runs, points, cases, gemm, memory, latency, rdma, rdma_latency, rdma_pairs, collectives, crossover,
/// corruption, detection, problems, each with one line on what it shows.
std::vector<TableName> table_descriptions();
std::vector<std::string> table_names();

/// Throws std::runtime_error with one line on an unknown table or run, or a store without runs (but "runs" is
/// then an empty table).
Table make_table(const Store& store, const std::string& name, const ShowOptions& options = {});

}  // namespace assay::results
