// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module's run while it lasts: measures each point, writes it, shows it, and knows how it all ended.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "harness/core/measure/clock.hpp"
#include "harness/run/journal/run_journal.hpp"
#include "harness/run/point_loop.hpp"
#include "harness/run/progress.hpp"

namespace assay::run {

class Session {
 public:
  /// `so_far`: of the points that an earlier start of this run finished.
  Session(std::string module, RunJournal& journal, Progress progress, Tally so_far,
          const std::atomic<bool>& interrupted, const Absences& absent = {});

  /// Empty once the run is ending: interrupted, the process poisoned, or the journal full.
  std::optional<Measured> measure(const plan::PlannedPoint& planned, int repetition);

  /// For another thread, while measure() does not come back: records the point in flight as `timeout`. False
  /// where none is in flight. After true the process must end: measure() will not write any more.
  bool give_up(const std::string& why);

  /// Writes the end record; returns the exit code.
  int end();

 private:
  struct Flying {
    results::PointRecord record;
    double began_s = 0;
  };
  void write(results::PointRecord& record);

  std::string module_;
  RunJournal& journal_;
  Progress progress_;
  const std::atomic<bool>& interrupted_;
  core::SteadyClock clock_;
  PointLoop loop_;
  Absences absent_;
  Tally tally_;
  bool stopped_ = false;  // poisoned, or nothing can be written any more
  bool unwritable_ = false;
  std::mutex writing_;
  std::optional<Flying> flying_;  // guarded by writing_
};

}  // namespace assay::run
