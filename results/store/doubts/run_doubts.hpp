// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Why a run may lack something that was measured: damaged lines of its journals, points that are fewer than
// its processes wrote, gaps in their numbers, processes of two hosts, processes that left no end or were
// interrupted. What is lost may have been a failure, so that no judge may pass a run with a doubt.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

enum class DoubtKind {
  damaged_line,  // of a journal that was imported
  clock,         // went back in a journal that was imported
  lost,          // the records of the run do not add up
  unfinished,    // nothing that was written is lost, but the run did not come to its end
};

struct RunDoubt {
  DoubtKind kind = DoubtKind::lost;
  std::string run_id;  // empty: no good line says which
  std::string host;    // empty: no context
  std::string where;   // "r7/journal.jsonl:17", "process 0 (memory)"
  std::string what;    // one line

  bool operator==(const RunDoubt&) const = default;
};
/// For people: "run r7, process 0 (memory): it left no end record ...".
std::string text_of(const RunDoubt& doubt);

/// Doubts about these runs, or about all where none are given. Faults that belong to no known run are always
/// among them.
std::vector<RunDoubt> doubts_of(const Store& store, std::span<const std::string> runs = {});

/// How the run ended: "complete", also where a resume ended what was cut off or interrupted before;
/// "interrupted"; "cut off" where a process left no end record and none went on; "unknown" without a context.
std::string ending_of(const Store& store, const StoredRun& run);

}  // namespace assay::results
