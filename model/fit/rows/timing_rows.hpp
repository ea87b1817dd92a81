// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a table of timings, and where each row is in a split. Units: us, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/fit/rows/csv_table.hpp"
#include "model/fit/rows/row_names.hpp"
#include "model/fit/rows/tier.hpp"

namespace assay::model::fit {

/// Whether one call made many of the products: "batched", or what begins with "batched/".
bool is_batched_layout(std::string_view layout);

/// C[m,n] = A[m,k] x B[k,n] on one GPU, `batch` of them in one call.
struct GemmShape {
  double m = 0, n = 0, k = 0, batch = 1;

  double flop() const { return 2 * batch * m * n * k; }
  /// Elements of A, B and C together.
  double elements() const { return batch * (m * n + m * k + n * k); }
};

struct GemmRow {
  GemmShape shape;
  std::string dtype, layout;
  std::int64_t multiprocessors = 0;  // of the GPU; 0: the table does not say
  double time_us = 0;
  std::size_t table_row = 0;

  std::string group() const { return layout.empty() ? dtype : dtype + "/" + layout; }
  bool is_batched() const { return is_batched_layout(layout); }
  std::string key() const;   // rows of one key measure the same thing: never apart in a split
  std::string pair() const;  // the (n, k) of a weight matrix
};

struct CollectiveRow {
  std::string system;  // source, and devices per node if known: never two of them under one curve
  std::string operation, algorithm, dtype;
  std::int64_t ranks = 0, nodes = 0;  // nodes that the ranks are on; 0: unknown
  double size_bytes = 0, time_us = 0;
  std::size_t table_row = 0;

  Tier tier() const { return tier_of(nodes); }
  std::string tiered_system() const;  // what may share a surface: one system, within a node or over nodes
  FamilyName name() const;            // all but dtype and size
  std::string family() const;         // its text
  std::string curve() const;          // one curve: all but size
  std::string key() const;
  CollectiveRow of_unknown_nodes() const;  // as files say it that do not know nodes
  std::string older_key() const { return of_unknown_nodes().key(); }
};

/// The rows of each operation, dtype and number of ranks on the most nodes: 16 ranks on 2 nodes and on 16 are
/// two things, and where tensor parallelism fills a node, a data-parallel group has one rank on each.
std::vector<CollectiveRow> on_most_nodes(std::vector<CollectiveRow> rows);

/// Bytes moved by one operation of a memory or a host link.
struct SizeRow {
  std::string operation, conditions, region;  // region: the cache that the footprint fits in, or memory
  double size_bytes = 0, time_us = 0;
  std::size_t table_row = 0;

  std::string curve() const;  // never two of any of the three words under one
  std::string key() const;
};

/// One message over verbs: `latency` is one way, one at a time; `stream` is the time from one message to the
/// next in the steady state; `overhead` is what it costs the processor at one end.
struct VerbsRow {
  enum class Kind { latency, stream, overhead };
  std::string operation, posting, conditions;  // posting: of streams only
  Kind kind = Kind::latency;
  double size_bytes = 0, time_us = 0;
  std::size_t table_row = 0;

  std::string link() const;  // operation and conditions
  std::string key() const;
};

/// "send_receive", or as nccl-tests and public tables call it.
bool is_message(std::string_view operation);

/// How much slower a victim is while an aggressor runs, with its interval.
struct SlowdownRow {
  std::string victim, aggressor, conditions;
  double slowdown = 1, lower = 1, upper = 1;
  std::size_t table_row = 0;

  std::string contest() const;
  std::string key() const { return contest(); }
};

/// A pass with exchanges: each alone, both together, and together by an ideal schedule.
/// What collectives.overlap.* and collectives.nccl_overlap.* measure; conditions of the latter begin with
/// passes_on_gpus, all others are of a host twin.
inline constexpr std::string_view gradients_beside_pass = "bucketed_all_reduce",
                                  gathers_beside_pass = "prefetched_all_gather", passes_on_gpus = "by=nccl";

struct OverlapRow {
  std::string operation, conditions, point;  // points of one contest have one efficiency
  double compute_us = 0, communication_us = 0, ideal_us = 0, time_us = 0;
  std::size_t table_row = 0;

  double could_hide_us() const { return compute_us + communication_us - ideal_us; }
  /// Together, if that share of it is hidden.
  double time_at_us(double efficiency) const {
    return compute_us + communication_us - efficiency * could_hide_us();
  }
  std::string contest() const;
  std::string key() const { return contest() + "," + point; }
};

/// "fp32" for "float32": what journals and files of coefficients said before names were one vocabulary.
std::string current_dtype(const std::string& name);

template <class Row>
struct Timings {
  CsvTable table;
  std::string machine;
  std::vector<Row> rows;
  std::vector<std::string> doubts = {};  // warnings of rows that hardly any hardware reaches
};

/// Columns as in docs/reference/files.md. Throws a usage error for a cell that cannot be, for rows of two
/// machines, and for rates that possible_rates.hpp refuses.
Timings<GemmRow> read_gemm_timings(const CsvSource& source);
Timings<CollectiveRow> read_collective_timings(const CsvSource& source);
Timings<SizeRow> read_size_timings(const CsvSource& source);
Timings<VerbsRow> read_verbs_timings(const CsvSource& source);
Timings<SlowdownRow> read_slowdowns(const CsvSource& source);
Timings<OverlapRow> read_overlaps(const CsvSource& source);

/// 0 to 99, the same on every machine: the rows of one key are on one side of any split.
int split_bucket(std::uint64_t seed, const std::string& key);

}  // namespace assay::model::fit
