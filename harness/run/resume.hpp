// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a journal already holds, so that --resume runs the rest.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "results/journal.hpp"

namespace assay::run {

struct Finished {
  std::string run_id;          // of the journal's first context; empty for a new journal
  std::int64_t processes = 0;  // contexts so far
  std::int64_t last_sequence = -1;
  std::set<std::string> points;  // identity() of each point that need not run again
  std::vector<results::JournalProblem> problems;
};

/// The identity of a point across processes: case, key, repetition.
std::string identity(const std::string& case_name, const std::string& key, std::int64_t repetition);

/// Reads a journal. A point that an interrupt cut short runs again; one that failed or timed out does so if
/// asked.
Finished read_finished(const std::filesystem::path& journal, bool retry_failed);

}  // namespace assay::run
