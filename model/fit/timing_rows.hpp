// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a table of timings says, row by row, and where each row stands in a split. Units: us, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fit/csv_table.hpp"

namespace assay::model::fit {

/// C[m,n] = A[m,k] x B[k,n] on one GPU.
struct GemmShape {
  double m = 0, n = 0, k = 0;

  double flop() const { return 2 * m * n * k; }
};

struct GemmRow {
  GemmShape shape;
  std::string dtype, layout;
  double time_us = 0;
  std::size_t table_row = 0;

  std::string group() const { return layout.empty() ? dtype : dtype + "/" + layout; }
  std::string key() const;   // rows of one key measure the same thing: never apart in a split
  std::string pair() const;  // the (n, k) of a weight matrix
};

struct CollectiveRow {
  std::string system;  // source, and devices per node where told: never two of them under one curve
  std::string operation, algorithm, dtype;
  std::int64_t ranks = 0;
  double size_bytes = 0, time_us = 0;
  std::size_t table_row = 0;

  std::string family() const;  // one surface: all but dtype and size
  std::string curve() const;   // one curve: all but size
  std::string key() const;
};

template <class Row>
struct Timings {
  CsvTable table;
  std::string machine;
  std::vector<Row> rows;
};

/// Columns as in docs/fitting.md. Throws a usage error for a cell that cannot be, and for rows of two
/// machines.
Timings<GemmRow> read_gemm_timings(const std::string& path);
Timings<CollectiveRow> read_collective_timings(const std::string& path);

/// 0 to 99, the same on every machine: the rows of one key are on one side of any split.
int split_bucket(std::uint64_t seed, const std::string& key);

}  // namespace assay::model::fit
