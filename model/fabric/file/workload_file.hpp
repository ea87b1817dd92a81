// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The workload of a fabric as a TOML file declares it: streams of operations on groups of ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/words.hpp"
#include "harness/training/bytes_matrix.hpp"
#include "harness/training/rank_groups.hpp"
#include "model/fabric/pattern.hpp"

namespace assay::model::fabric {

using training::BytesMatrix;
using training::RankGroup;

/// Patterns that an operation names instead of a collective.
enum class PatternWord { incast, permutation, shift, pipeline, all_to_all };
inline constexpr auto pattern_words =
    core::words_of<PatternWord>("incast", "permutation", "shift", "pipeline", "all_to_all");

enum class OperationKind {
  compute,       // no traffic
  collective,    // a pattern, step by step
  double_tree,   // all-reduce over both trees at once
  hierarchical,  // all-reduce within servers, across them on every rail, and within
  all_to_all,    // every rank to every other, at once or in n - 1 shifts
  incast,        // all others of a group to its first rank
  permutation,   // each rank to another, drawn
  shift,         // each rank to the one `by` after it
  pipeline,      // each rank but the last to the next
  listed,        // rounds of pairs, one after the other; not of files
};

/// Ranks that send to ranks, all at once.
using PairRound = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

enum class AllToAllSteps { by_window, at_once, shifts };

/// Sizes of the blocks of an all-to-all: as a file states them, or drawn by a seed (drawn_blocks.hpp).
enum class BlockSizes { equal, matrix, exponential, zipf };

struct Operation {
  std::string name = {};   // "forward", or nothing
  std::string among = {};  // the parallel dimension that its groups are, "tensor", or nothing
  OperationKind kind = OperationKind::compute;
  std::string collective = {}, algorithm = {};  // "all_reduce", "ring"; of other kinds, the kind and nothing
  std::string where = {};                       // "step.toml:8: stream.op.", for messages
  const Pattern* pattern = nullptr;             // of a collective
  AllToAllSteps all_to_all_steps = AllToAllSteps::by_window;
  BlockSizes blocks = BlockSizes::equal;
  std::shared_ptr<const BytesMatrix> matrix = nullptr;  // for every group
  std::vector<RankGroup> groups = {};  // of compute, one of the ranks that compute; empty: all
  /// As PatternSize; of a pattern, what each rank sends; of a matrix, what the rank sends
  /// that sends most.
  std::uint64_t bytes = 0;
  double compute_us = 0;
  std::uint32_t by = 1, seed = 1;
  std::uint32_t times = 1;             // one after the other
  std::vector<PairRound> rounds = {};  // of listed: pairs of indices in the only group, sorted

  double all_compute_us() const { return times * compute_us; }
  /// Whether both send the same bytes between the same ranks in the same steps.
  bool sends_as(const Operation& other) const;

  /// "256 MiB all_reduce (ring) on 1024 GPUs", after its name.
  std::string text() const;
  std::size_t ranks() const;
};

/// Operations one after the other, next to other streams.
struct Stream {
  std::string name;
  std::size_t job = 0;
  std::vector<std::size_t> after = {};  // streams of the same job that end before it begins
  std::vector<Operation> operations = {};
};

/// Ranks of a job, among all of the workload.
struct RankRange {
  std::uint32_t first = 0, count = 0;
};

struct Job {
  std::string name;
  std::string where = {};  // "jobs.toml:3: job.order", for messages about places
  RankRange ranks = {};
  std::string order_file = {};  // empty: linear, from this GPU on
  std::uint32_t first_gpu = 0;
  double start_us = 0;  // after the first job's
  /// The share of a GPU's compute that a running collective of another stream takes; 0: none.
  double processor_usage = 0;
};

/// One job, or several that share the fabric.
struct WorkloadFile {
  std::string file, name;
  std::vector<Job> jobs = {};
  std::vector<Stream> streams = {};

  const Job& job_of(std::uint32_t rank) const {
    std::size_t at = 0;
    while (rank >= jobs[at].ranks.first + jobs[at].ranks.count) ++at;
    return jobs[at];
  }
  std::uint32_t ranks() const { return jobs.back().ranks.first + jobs.back().ranks.count; }
};

/// Throws a usage Error with file, line, key and what was expected. Files are named from the workload's
/// folder. A file "NAME.json" is one of `assay predict --json`, whose training step runs alone.
WorkloadFile read_workload(const std::string& file);
WorkloadFile parse_workload(const std::string& toml, const std::string& file);

}  // namespace assay::model::fabric
