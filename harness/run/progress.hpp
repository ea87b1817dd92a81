// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The progress that a person sees while points run: one line a point, and on a terminal a status line with
// the time left.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/seconds_since.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/plan/plan.hpp"
#include "results/record/record.hpp"

namespace assay::run {

/// Seconds a point may take if its budgets are used up: sampling, warm-up, and a little for preparing. 0
/// where this machine cannot run it.
double budget_of(const plan::PlannedPoint& planned);

/// Estimates the time left from the budgets ahead, corrected by how the points so far compared with theirs.
class TimeLeft {
 public:
  explicit TimeLeft(double budget_ahead_s) : ahead_s_(budget_ahead_s) {}
  void done(double budget_s, double took_s);
  double seconds() const;

 private:
  double ahead_s_;
  double budget_done_s_ = 0;
  double took_s_ = 0;
};

struct ProgressOptions {
  bool terminal = false;
  bool colour = false;        // of words that say that a point is not ok
  std::size_t columns = 0;    // of the terminal: the live line fits in; 0: unknown
  std::string module{};       // named in the live line with its own points, where it has not all of the run
  long of_module = 0;         // its points
  long before = 0;            // points other modules ran before this one
  long total = 0;             // points of the whole run
  double budget_after_s = 0;  // budgets of the modules that come after
  /// Written to at the start of each point and while it runs, for the supervisor.
  int heartbeat_descriptor = -1;
  /// A file with the same purpose, where a launcher is in between; opened by the module's main.
  std::string heartbeat_file{};
};

/// Names points for people: by the coordinates that differ between points of this run, and those that are
/// not a default of their axis. (key() is a point's name in records, with all of them.)
class PointText {
 public:
  explicit PointText(const std::vector<plan::PlannedPoint>& points);

  /// "memory.host.copy bytes=1GiB threads=2"
  std::string of(const plan::PlannedPoint& planned) const;

 private:
  std::set<std::pair<std::string, std::string>>
      varied_;  // cases and their axes with several values in this run
};

class Progress {
 public:
  Progress(std::ostream& lines, std::ostream& status, const ProgressOptions& options, double budget_ahead_s,
           PointText point_text, std::function<double()> now_s = core::steady_seconds);

  void begins(const plan::PlannedPoint& planned);
  /// Announces the point that began once more, at most once a second: it does not hang.
  void still_runs();
  /// The live line: how wide the interval is by now, and how wide it may be.
  void looked(const plan::PlannedPoint& planned, const core::QuantileInterval& interval);
  void ended(const plan::PlannedPoint& planned, const results::PointRecord& record);

 private:
  void rewrite(const plan::PlannedPoint& planned, const std::string& more);
  std::string time_left_text() const;
  core::LogFields fields_of(const results::PointRecord& record) const;
  void beat();

  std::ostream& lines_;
  std::ostream& status_;
  ProgressOptions options_;
  TimeLeft left_;
  PointText point_text_;
  long done_ = 0;
  std::string beat_;  // of the point that began
  std::function<double()> now_s_;
  double last_beat_s_ = 0;
};

/// "12.3 GB/s [12.1, 12.4] (n = 240, stopped by interval)", or the status, perhaps coloured, with its reason.
std::string outcome_text(const results::PointRecord& record, bool colour = false);

/// Both standard streams are terminals, as the environment's NO_COLOR (no-color.org) and TERM allow.
ProgressOptions options_of_terminal(const ProgressOptions& options);

}  // namespace assay::run
