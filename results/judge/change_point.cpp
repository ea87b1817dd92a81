// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/core/statistics.hpp"
#include "harness/core/student_t.hpp"

namespace assay::results {
namespace {

/// Distances of runs that are so far apart.
std::vector<double> steps_of(std::span<const RunLevel> runs, std::size_t apart) {
  std::vector<double> steps;
  for (std::size_t at = apart; at < runs.size(); ++at)
    steps.push_back(std::abs(runs[at].log - runs[at - apart].log));
  return steps;
}

/// No more than this multiple of the median distance of neighbours counts of a change or a wild run.
constexpr double most_steps = 3;

double mean_up_to(double most, const std::vector<double>& steps) {
  double sum = 0;
  for (const double step : steps) sum += std::min(step, most);
  return sum / static_cast<double>(steps.size());
}

/// Sums over runs.
struct Sums {
  double n = 0, logs = 0, squares = 0, own = 0;  // own: squared errors of the runs themselves

  Sums operator-(const Sums& other) const {
    return {n - other.n, logs - other.logs, squares - other.squares, own - other.own};
  }
  Sums operator+(const Sums& other) const {
    return {n + other.n, logs + other.logs, squares + other.squares, own + other.own};
  }
  double mean() const { return logs / n; }
  double scatter() const { return std::max(0.0, squares - logs * logs / n); }
};

/// Some of the runs of a segment against the others.
struct Shift {
  double shift = 0, half = 0;

  bool is_change() const { return std::abs(shift) > half; }
  bool exceeds(const Shift& other) const {
    return std::abs(shift) * other.half > std::abs(other.shift) * half;
  }
};

class Segments {
 public:
  Segments(std::span<const RunLevel> runs, double error, double correlation)
      : error_(error / std::pow(static_cast<double>(runs.size()), 2)),
        counts_((1 - correlation) / (1 + correlation)),
        sums_(1) {
    const double middle = runs[runs.size() / 2].log;  // near zero, squares keep their digits
    for (const RunLevel& run : runs) {
      const double log = run.log - middle;
      sums_.push_back(sums_.back() + Sums{1, log, log * log, run.error * run.error});
    }
  }

  void look(std::size_t begin, std::size_t end, LevelHistory& history) const {
    if (end - begin < 2 * fewest_runs_of_a_side) return;
    const double quantile = quantile_of(end - begin);
    Shift best{0, 1};
    std::size_t first = begin, last = end;
    double upper = -std::numeric_limits<double>::infinity();
    for (std::size_t from = begin; from < end; ++from)
      for (std::size_t to = from + fewest_runs_of_a_side; to <= end; ++to) {
        if (!leaves_enough(begin, from) || !leaves_enough(to, end) || to - from == end - begin) continue;
        const Shift shift = against_others(begin, from, to, end, quantile);
        upper = std::max(upper, std::abs(shift.shift) + shift.half);
        if (shift.exceeds(best)) best = shift, first = from, last = to;
      }
    if (!best.is_change()) {
      history.upper = std::max(history.upper, upper);
      if (std::abs(best.shift) > std::abs(history.largest.shift))
        history.largest = {first == begin ? last : first, best.shift, best.shift - best.half,
                           best.shift + best.half};
      return;
    }
    look(begin, first, history);
    if (first > begin) history.changes.push_back({first});
    look(first, last, history);
    if (last < end) history.changes.push_back({last});
    look(last, end, history);
  }

  /// The shifts of the changes, each between the runs on both sides up to the next one only.
  void compare_neighbours(std::vector<ChangePoint>& changes) const {
    for (std::size_t at = 0; at < changes.size(); ++at) {
      const std::size_t begin = at == 0 ? 0 : changes[at - 1].at;
      const std::size_t end = at + 1 == changes.size() ? sums_.size() - 1 : changes[at + 1].at;
      const Shift one = against_others(begin, changes[at].at, end, end, quantile_of(end - begin));
      changes[at] = {changes[at].at, one.shift, one.shift - one.half, one.shift + one.half};
    }
  }

 private:
  static bool leaves_enough(std::size_t begin, std::size_t end) {
    return begin == end || end - begin >= fewest_runs_of_a_side;
  }
  /// Skewed scatter has fewer degrees of freedom than normal scatter: two thirds hold the level of lognormal
  /// runs.
  double quantile_of(std::size_t runs) const {
    const double degrees = counts_ * (static_cast<double>(runs) - 2) * 2 / 3;
    return core::student_t_quantile(1 - error_ / 2, std::max(1.0, degrees));
  }

  /// Of the runs from `from` to `to`; runs of both kinds scatter alike.
  Shift against_others(std::size_t begin, std::size_t from, std::size_t to, std::size_t end,
                       double quantile) const {
    const Sums all = sums_[end] - sums_[begin], inside = sums_[to] - sums_[from], outside = all - inside;
    const double variance = std::max((inside.scatter() + outside.scatter()) / (all.n - 2), all.own / all.n);
    return {inside.mean() - outside.mean(),
            quantile * std::sqrt(variance / counts_ * (1 / inside.n + 1 / outside.n))};
  }

  double error_;            // of one part of a segment: there are fewer than the square of the runs
  double counts_;           // the share of an uncorrelated run that a run counts
  std::vector<Sums> sums_;  // of the runs before each
};

}  // namespace

double correlation_of_runs(std::span<const std::vector<RunLevel>> series) {
  double next = 0, after_next = 0;
  for (const std::vector<RunLevel>& runs : series) {
    if (runs.size() < fewest_runs_of_a_history) continue;
    const std::vector<double> steps = steps_of(runs, 1);
    const double typical = core::quantile_of(steps, 0.5);
    if (typical == 0) continue;
    next += mean_up_to(most_steps * typical, steps) / typical;
    after_next += mean_up_to(most_steps * typical, steps_of(runs, 2)) / typical;
  }
  if (next == 0) return 0;
  return std::clamp(after_next * after_next / (next * next) - 1, 0.0, most_correlation);
}

LevelHistory level_history(std::span<const RunLevel> runs, double error, double correlation) {
  if (runs.size() < fewest_runs_of_a_history) throw std::runtime_error("a history of too few runs");
  LevelHistory history;
  const Segments segments(runs, error, correlation);
  segments.look(0, runs.size(), history);
  segments.compare_neighbours(history.changes);
  return history;
}

}  // namespace assay::results
