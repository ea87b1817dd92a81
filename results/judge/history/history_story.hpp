// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The history of one series of runs in words: since when it is slower, by how much, and what else changed
// then.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/judge/history/run_histories.hpp"
#include "results/judge/statistics/change_point.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// A shift in the logarithm of times, as a percentage.
double percent_of_shift(double log);
Number percent_of_shift(const ChangePoint& change);

/// The last runs against an earlier part of the history.
struct Rise {
  std::string because;  // one line
  std::vector<std::string> evidence;
  bool has_recorded_cause = false;  // something recorded differs from the run before
};

/// Describes a history with changes. All three arguments must outlive it.
class HistoryStory {
 public:
  HistoryStory(const HostHistory& host, const HistorySeries& series, const LevelHistory& history)
      : host_(host), series_(series), history_(history) {}

  /// The earlier part that the last runs are most shown to be slower than by more than `margin`, a shift;
  /// else the one that they may be slowest against.
  std::size_t reference(double margin) const;
  Rise rise_since(std::size_t part) const;
  /// "; slower for a time: 5.01 % from run r8 on, undone from run r14 on", where it was by more than the
  /// margin.
  std::string undone(double margin) const;
  /// The run of the last change.
  const std::string& last_change() const { return run_at(history_.changes.back()).run_id; }

 private:
  const HostRun& run_at(const ChangePoint& change) const { return host_.runs[series_.runs[change.at]]; }
  const HostRun& run_before(const ChangePoint& change) const {
    return host_.runs[series_.runs[change.at - 1]];
  }
  std::vector<std::string> differences_at(const ChangePoint& change) const;
  std::string other_change(const ChangePoint& change) const;

  const HostHistory& host_;
  const HistorySeries& series_;
  const LevelHistory& history_;
};

}  // namespace assay::results
