// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points that a journal already holds, so that --resume runs the rest.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/plan/plan.hpp"
#include "results/record/journal.hpp"

namespace assay::run {

struct Finished {
  std::string run_id;                             // of the journal's first context; empty for a new journal
  std::map<std::string, std::int64_t> processes;  // contexts so far, by run
  std::int64_t last_sequence = -1;
  std::map<std::string, results::Status> points;  // by identity(): each point that need not run again
  std::set<std::string> again;                    // by identity(): of the records that were named, the rest
  std::vector<results::JournalProblem> problems;
};

/// How the points measured so far went; an exit code is made of it.
struct Tally {
  long measured = 0;
  bool faulty = false;  // a point failed, timed out or was wrong
  /// Hardware of this machine that some points used, and that others could not.
  std::set<machine::Hardware> used = {}, unused = {};

  /// `uses`: what the point needs and this machine has.
  void add(results::Status status, std::optional<machine::Hardware> uses = {});
  /// 1 where a point was faulty; 3 where none was measured, or none on hardware that is there; else 0.
  int exit_code() const;
};

/// The identity of a point across processes: case, key, repetition.
std::string identity(const std::string& case_name, const std::string& key, std::int64_t repetition);

/// Reads a journal, empty where there is none. A point that an interrupt cut short runs again; one that
/// failed or timed out does so if asked. The latest record of a point decides. `named`: numbers of records
/// whose points run again, until a later record of them is there.
Finished read_finished(const std::filesystem::path& journal, bool retry_failed,
                       const std::set<std::int64_t>& named = {});

/// "3-5,9" as numbers of records. Throws a usage Error naming what is none.
std::set<std::int64_t> records_in(const std::string& text);

}  // namespace assay::run
