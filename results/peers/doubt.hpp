// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Doubts about what a file of another tool states: each has a fixed word, by which scripts find it, and a
// sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::results::peers {

enum class DoubtKind {
  cut,
  prefixed,
  two_runs,
  wrong_results,
  unit_derived,
  host_from_path,
  host_unknown,
  time_zone_unknown,
  no_time,
  ranks_from_path,
  ranks_derived,
  ranks_unknown,
  bytes_unknown,
  operation_from_path,
  operation_from_command,
  average_over_ranks,
  invalid_json,
  unparsed_lines,
  cpu_time,
  errors_reported,
  waived,
  same_result_twice,
  same_node_twice,
  gpu_assumed,
  host_differs,
  other_meaning,
  debug_build,
  clock_scaling,
  ranks_missing,
  above_physics,
  same_log,
  before_repair,
  samples_differ,
  no_warmup,
  few_iterations,
};

struct Doubt {
  DoubtKind kind;
  std::string detail = {};  // in this file: "no line of the total follows"; may be empty
  friend bool operator==(const Doubt&, const Doubt&) = default;
};
using Doubts = std::vector<Doubt>;

/// "cut"
std::string_view word_of(DoubtKind kind);
/// "cut: incomplete: no line of the total follows"
std::string text_of(const Doubt& doubt);
/// The worst of those by which a log does not show what its host does today, as text_of(); empty: none.
std::string unbelievable_text(const Doubts& doubts);
/// Unless it is there.
void add_doubt(Doubts& doubts, Doubt doubt);

}  // namespace assay::results::peers
