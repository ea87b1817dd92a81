// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What runs on a fabric, as a TOML file declares it: streams of operations on groups of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/file/rank_groups.hpp"
#include "model/fabric/pattern.hpp"

namespace assay::model::fabric {

enum class OperationKind {
  compute,      // no traffic
  collective,   // an algorithm, step by step
  all_to_all,   // every rank to every other, at once or in n - 1 shifts
  incast,       // all others of a group to its first rank
  permutation,  // each rank to another, drawn
  shift,        // each rank to the one `by` after it
};

enum class AllToAllSteps { by_window, at_once, shifts };

struct Operation {
  OperationKind kind = OperationKind::compute;
  std::string collective = {}, algorithm = {};  // "all_reduce", "ring"; of other kinds, the kind and nothing
  std::string where = {};                       // "step.toml:8: stream.op.", for messages
  const Pattern* pattern = nullptr;             // of a collective
  AllToAllSteps all_to_all_steps = AllToAllSteps::by_window;
  std::vector<RankGroup> groups = {};
  std::uint64_t bytes = 0;  // as PatternSize; of incast, permutation and shift, what each rank sends
  double compute_us = 0;
  std::uint32_t by = 1, seed = 1;

  /// "256 MiB all_reduce (ring) on 1024 GPUs".
  std::string text() const;
  std::size_t ranks() const;
};

/// Operations one after the other, next to other streams.
struct Stream {
  std::string name;
  std::vector<std::size_t> after = {};  // streams that end before it begins
  std::vector<Operation> operations = {};
};

struct WorkloadFile {
  std::string file, name;
  std::uint32_t ranks = 0;
  std::string order_file = {};  // empty: linear
  std::vector<Stream> streams = {};
};

/// Throws a usage Error with file, line, key and what was expected. An order file is named from the
/// workload's folder.
WorkloadFile read_workload(const std::string& file);
WorkloadFile parse_workload(const std::string& toml, const std::string& file);

}  // namespace assay::model::fabric
