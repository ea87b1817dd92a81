// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

/// Distances of runs that are so far apart, less the usual one: a steady drift.
std::vector<double> steps_of(std::span<const RunLevel> runs, std::size_t apart) {
  std::vector<double> steps;
  for (std::size_t at = apart; at < runs.size(); ++at) steps.push_back(runs[at].log - runs[at - apart].log);
  const double drift = core::quantile_of(steps, 0.5);
  for (double& step : steps) step = std::abs(step - drift);
  return steps;
}

/// Beyond this multiple of the median a distance is that of a change, or of a wild run.
constexpr double most_steps = 3;

/// The error of the coefficient from one run; from n runs it is less by the root of n. A coefficient within
/// its error is not counted: a few runs would else seem correlated by chance, and show nothing.
constexpr double error_of_one = 1.6;

/// The mean of the other steps.
double usual_step(const std::vector<double>& steps) {
  const double most = most_steps * core::quantile_of(steps, 0.5);
  double sum = 0, count = 0;
  for (const double step : steps)
    if (step <= most) sum += step, ++count;
  return sum / count;
}

constexpr std::size_t neighbours = 3;  // on each side
constexpr double wild_from = 3;        // robust deviations

/// A wild run says that it was wild, not that the level changed: it is moved to the edge of what its
/// neighbours scatter. What lasts longer than it does has neighbours of its own.
std::vector<RunLevel> tamed(std::span<const RunLevel> runs) {
  std::vector<double> usual, distances;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    const std::size_t begin = at - std::min(at, neighbours), end = std::min(runs.size(), at + neighbours + 1);
    std::vector<double> near;
    for (const RunLevel& run : runs.subspan(begin, end - begin)) near.push_back(run.log);
    usual.push_back(core::quantile_of(near, 0.5));
    distances.push_back(std::abs(runs[at].log - usual.back()));
  }
  const double most = wild_from * sd_of_median_distance * core::quantile_of(distances, 0.5);
  std::vector<RunLevel> all(runs.begin(), runs.end());
  for (std::size_t at = 0; most > 0 && at < all.size(); ++at)
    all[at].log = std::clamp(all[at].log, usual[at] - most, usual[at] + most);
  return all;
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
  Segments(std::span<const RunLevel> runs, const HistoryErrors& errors, double correlation)
      : error_(errors.change / std::pow(static_cast<double>(runs.size()), 2)),
        unseen_(errors.unseen),
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
    const double quantile = change_quantile(end - begin);
    const double of_bound = bound_quantile(end - begin, unseen_) / quantile;
    Shift best{0, 1};
    std::size_t first = begin, last = end;
    double upper = rise_bound(begin, end);
    for (std::size_t from = begin; from < end; ++from)
      for (std::size_t to = from + fewest_runs_of_a_side; to <= end; ++to) {
        if (!leaves_enough(begin, from) || !leaves_enough(to, end) || to - from == end - begin) continue;
        const Shift shift = against_others(begin, from, to, end, quantile);
        upper = std::max(upper, std::abs(shift.shift) + of_bound * shift.half);
        if (shift.exceeds(best)) best = shift, first = from, last = to;
      }
    if (!best.is_change()) {
      if (is_last_part(end) && end - begin >= fewest_runs_of_a_history) history.upper = upper;
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
    for (std::size_t at = 0; at < changes.size(); ++at)
      changes[at] = between(part_before(changes, at), part_before(changes, at + 1));
  }

  /// The last part against each before it.
  std::vector<ChangePoint> compare_last(const std::vector<ChangePoint>& changes) const {
    std::vector<ChangePoint> all;
    for (std::size_t at = 0; at < changes.size(); ++at)
      all.push_back(between(part_before(changes, at), part_before(changes, changes.size())));
    return all;
  }

 private:
  struct Part {
    std::size_t begin = 0, end = 0;
  };
  /// The runs between a change and the one before it; the number of changes stands for the end.
  Part part_before(const std::vector<ChangePoint>& changes, std::size_t at) const {
    return {at == 0 ? 0 : changes[at - 1].at, at == changes.size() ? sums_.size() - 1 : changes[at].at};
  }

  bool is_last_part(std::size_t end) const { return end + 1 == sums_.size(); }
  static bool leaves_enough(std::size_t begin, std::size_t end) {
    return begin == end || end - begin >= fewest_runs_of_a_side;
  }
  /// Skewed scatter has fewer degrees of freedom than normal scatter: two thirds hold the level of lognormal
  /// runs.
  double degrees_of(std::size_t runs) const {
    return std::max(1.0, counts_ * (static_cast<double>(runs) - 2) * 2 / 3);
  }
  double change_quantile(std::size_t runs) const {
    return core::student_t_quantile(1 - error_ / 2, degrees_of(runs));
  }
  double bound_quantile(std::size_t runs, double error) const {
    return core::student_t_quantile(1 - error, degrees_of(runs));
  }

  /// The bound on the rise of a line by least squares, from its beginning to its end. Taming pulls in the
  /// ends of a few runs, which half the error makes up for.
  double rise_bound(std::size_t begin, std::size_t end) const {
    const double n = static_cast<double>(end - begin), middle = (n - 1) / 2;
    const Sums all = sums_[end] - sums_[begin];
    double weighted = 0;
    for (std::size_t at = begin; at < end; ++at)
      weighted += (static_cast<double>(at - begin) - middle) * (sums_[at + 1].logs - sums_[at].logs);
    const double places = n * (n * n - 1) / 12, slope = weighted / places;
    const double variance =
        std::max(std::max(0.0, all.scatter() - slope * weighted) / (n - 2), all.own / n) / counts_;
    return (n - 1) * (slope + bound_quantile(end - begin, unseen_ / 2) * std::sqrt(variance / places));
  }

  /// The shift of the runs from `from` to `to`: later runs against earlier ones, or middle ones against both.
  Shift against_others(std::size_t begin, std::size_t from, std::size_t to, std::size_t end,
                       double quantile) const {
    const Sums inside = sums_[to] - sums_[from], outside = sums_[end] - sums_[begin] - inside;
    return from == begin ? shift_of(inside, outside, quantile) : shift_of(outside, inside, quantile);
  }

  ChangePoint between(const Part& one, const Part& other) const {
    const Sums before = sums_[one.end] - sums_[one.begin], after = sums_[other.end] - sums_[other.begin];
    const Shift shift =
        shift_of(before, after, change_quantile(one.end - one.begin + other.end - other.begin));
    return {one.end, shift.shift, shift.shift - shift.half, shift.shift + shift.half};
  }

  /// Runs of both kinds scatter alike.
  Shift shift_of(const Sums& before, const Sums& after, double quantile) const {
    const double n = before.n + after.n;
    const double variance =
        std::max((before.scatter() + after.scatter()) / (n - 2), (before.own + after.own) / n);
    return {after.mean() - before.mean(),
            quantile * std::sqrt(variance / counts_ * (1 / before.n + 1 / after.n))};
  }

  double error_;            // of one part of a segment: there are fewer than the square of the runs
  double unseen_;           // of any one bound
  double counts_;           // the share of an uncorrelated run that a run counts
  std::vector<Sums> sums_;  // of the runs before each
};

}  // namespace

void RunCorrelation::add(std::span<const RunLevel> runs) {
  if (runs.size() < fewest_runs_of_a_history) return;
  const double step = usual_step(steps_of(runs, 1)), further = usual_step(steps_of(runs, 2));
  if (step == 0) return;
  next_ += step / (step + further), after_next_ += further / (step + further);
  count_ += static_cast<double>(runs.size());
}

double RunCorrelation::value() const {
  if (next_ == 0) return 0;
  const double found = after_next_ * after_next_ / (next_ * next_) - 1;
  return std::clamp(found - error_of_one / std::sqrt(count_), 0.0, most_correlation);
}

double correlation_of_runs(std::span<const std::vector<RunLevel>> series) {
  RunCorrelation correlation;
  for (const std::vector<RunLevel>& runs : series) correlation.add(runs);
  return correlation.value();
}

LevelHistory level_history(std::span<const RunLevel> runs, const HistoryErrors& errors, double correlation) {
  if (runs.size() < fewest_runs_of_a_history) throw std::runtime_error("a history of too few runs");
  LevelHistory history;
  const Segments segments(tamed(runs), errors, correlation);
  segments.look(0, runs.size(), history);
  segments.compare_neighbours(history.changes);
  history.since = segments.compare_last(history.changes);
  return history;
}

}  // namespace assay::results
