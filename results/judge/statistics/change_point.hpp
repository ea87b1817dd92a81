// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Changes of level in a series of runs: the runs of every part of it against the others by Student's t, and
// again within the parts (circular binary segmentation, Olshen et al. 2004, Biostatistics 5), so that a
// change which is undone later does not hide itself. The level of error is divided among all parts: runs
// which scatter around one level have no change in 1 - error of all series.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace assay::results {

/// A change of the logarithm of times, with an interval that holds at all places at once.
struct ChangePoint {
  std::size_t at = 0;  // the first run after it
  double shift = 0, lower = 0, upper = 0;
};

/// The level of one run: the logarithm of its time, and how uncertain that is by itself. Runs of a segment
/// that agree better than this do so by chance.
struct RunLevel {
  double log = 0, error = 0;
};

inline constexpr std::size_t fewest_runs_of_a_history = 8, fewest_runs_of_a_side = 3;

struct LevelHistory {
  std::vector<ChangePoint> changes;  // in order, each between its neighbouring changes
  std::vector<ChangePoint> since;    // the runs after the last change against those of each part before it
  ChangePoint largest;               // the greatest shift that is not a change, of all places
  /// The upper bound of a change after the last, or of a steady rise since it: any that is as large goes
  /// unseen with a probability of `unseen` at most (an intersection-union test, Berger 1982). Infinite where
  /// fewer runs follow the last change than a history needs.
  double upper = std::numeric_limits<double>::infinity();
};

/// How far neighbouring runs of these series agree beyond chance, as days and placements make them: the
/// coefficient of an autoregressive series, from differences of neighbours and of next neighbours. Those that
/// a change makes are left out, and a steady drift is taken off. 0 to most_correlation.
double correlation_of_runs(std::span<const std::vector<RunLevel>> series);
inline constexpr double most_correlation = 0.9;

/// Computes correlation_of_runs() from one series after the other.
class RunCorrelation {
 public:
  void add(std::span<const RunLevel> runs);
  double value() const;

 private:
  double next_ = 0, after_next_ = 0, count_ = 0;
};

struct HistoryErrors {
  double change = 0.01;  // probability of any change in runs that scatter around one level
  double unseen = 0.05;  // as in LevelHistory::upper
};

/// Throws std::runtime_error for fewer runs than a history needs. Runs that are correlated count as fewer.
LevelHistory level_history(std::span<const RunLevel> runs, const HistoryErrors& errors,
                           double correlation = 0);

}  // namespace assay::results
