// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether two things are equally good within a margin: two one-sided tests (TOST; Schuirmann 1987) over runs,
// each a fresh start of processes. Repetitions within a run share placement, path and heat, so they are one
// value, however many they are. "No difference was found" is never an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace assay::core {

enum class Equivalence {
  equivalent,       // the interval lies within the margin
  higher,           // the interval lies beyond it
  lower,            // beyond it on the other side
  not_enough_data,  // the interval crosses the margin, or there is none
};

/// The fewest runs on each side. With two, a path that has two states makes the test wrong in 7 % of cases;
/// and ranks reach 5 % from three on.
inline constexpr std::int64_t fewest_runs = 3;
inline constexpr std::int64_t most_planned_runs = 1'000;

struct EquivalenceResult {
  Equivalence verdict = Equivalence::not_enough_data;
  std::int64_t runs_of_a = 0, runs_of_b = 0;
  double ratio = 1;                              // geometric mean of b over that of a
  std::optional<double> lower = {}, upper = {};  // of the ratio; none below fewest_runs
  std::optional<double> smallest_margin = {};    // at which these runs would be equivalent
  std::optional<double> deviation = {};  // of ln(value) between runs of a side; none where no side has two
  bool drift_could_hide = false;         // decided, were no drift possible in the order of the runs
};

/// When the runs of each side started among those of both: 0 the first, equal numbers together. Empty:
/// unknown.
struct RunOrder {
  std::span<const double> a = {}, b = {};
};

/// `a`, `b`: one value a run, the mean of ln(value) over its repetitions. Equivalent where the ratio is
/// within 1 / (1 + margin) and 1 + margin. The interval holds two: Student's, with the degrees of freedom of
/// the side with fewer runs, which keeps `alpha` for normal run effects whatever the variance of either side
/// (Hsu 1938; Mickey and Brown 1966); and that of ranks, which keeps it for run effects of any shape that
/// both share. With their order it holds a third, of the analysis of covariance: the difference once a drift
/// is taken off that is linear in that order and the same on both sides. Runs that alternate lose next to
/// nothing by it; with all runs of a side before the other's its standard error is about twice as large.
EquivalenceResult judge_equivalence(std::span<const double> a, std::span<const double> b, double margin,
                                    const RunOrder& order = {}, double alpha = 0.05);

/// Runs on each side that decide with a probability of about 80 %, were difference of the means (of logs) and
/// deviation between runs as given: equivalent where the difference is within the margin, else beyond it.
/// None where more than most_planned_runs would be.
std::optional<std::int64_t> runs_needed(double difference, double deviation, double margin,
                                        double alpha = 0.05);

/// An interval to come: a normal estimate with this standard error, and on each side of it s times the
/// quantile of Student's t with `interval_degrees`, s an estimate of the error with `spread_degrees`.
struct IntervalPlan {
  double error = 0, spread_degrees = 1, interval_degrees = 1;
};

/// The probability that it decides so: that |estimate| + t s stays below ln(1 + margin), or |estimate| - t s
/// above it, integrated over the chi distribution of s.
double decision_power(const IntervalPlan& plan, double difference, double margin, double alpha = 0.05);

/// The power of Student's interval over `runs` normal runs on each side, whose deviation between runs is
/// `deviation`.
double decision_power(std::int64_t runs, double difference, double deviation, double margin,
                      double alpha = 0.05);

/// The difference beyond the margin, as a share, that would be shown with this power.
double smallest_difference_shown(const IntervalPlan& plan, double margin, double power = 0.8);

}  // namespace assay::core
