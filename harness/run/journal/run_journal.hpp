// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// This process's part of a journal: its context first, then points, then how it ended. Writes nothing without
// a file; keeps what it would write where a style is asked for.
#pragma once

#include <optional>
#include <string>

#include "harness/run/journal/resume.hpp"
#include "harness/run/module_options.hpp"
#include "results/record/journal.hpp"
#include "results/store/store.hpp"

namespace assay::run {

class RunJournal {
 public:
  /// Opens and writes the context. Throws std::system_error when the file cannot be written.
  RunJournal(const ModuleOptions& options, const Finished& finished, results::ContextRecord context);

  /// Stamps run, process and sequence, then writes. Throws std::system_error on a full disk, and an Error
  /// where another process has written of this run since: it has gone on without this one.
  void write(results::PointRecord& record);
  void end(bool interrupted);

  /// All records so far where a style is asked for; else null.
  const results::Store* kept() const { return kept_ ? &*kept_ : nullptr; }

 private:
  void write_line(const results::Record& record);

  std::optional<results::JournalWriter> writer_;
  std::optional<results::Store> kept_;
  results::EndRecord end_;
  std::int64_t next_sequence_;
};

}  // namespace assay::run
