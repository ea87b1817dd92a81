// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Drift of a unit within its own run: do the times of a point move from its first sample to its last?
//
// A series fails by any of the shapes of drift_shapes.hpp. The level is family-wise over all series and
// shapes, so that a sound fleet has a series that fails no more often than FleetRules say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "results/judge/history/drift_points.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/statistics/drift_shapes.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

constexpr const char* drift_input = "drift";
constexpr std::size_t fewest_samples = 24;
constexpr double error_of_a_pass = 0.05;

/// The shape that decides: the one that fits, if it is beyond the margin, else what comes nearest to it.
struct Drift {
  Verdict verdict = Verdict::inconclusive;
  DriftShape shape;
  DriftInterval interval;
};

double reach_of(const DriftInterval& interval) {
  if (!interval.lower) return HUGE_VAL;
  return std::max(std::abs(*interval.lower), std::abs(*interval.upper));
}

bool is_beyond(const DriftInterval& interval, double margin) {
  return interval.lower && (*interval.lower > margin || *interval.upper < -margin);
}

/// `error`: of a failure, shared by the shapes of which one fits best. To pass, every usual shape has to be
/// within the margin (Berger 1982), each at its own error.
Drift drift_of(const DriftBlocks& blocks, double margin, double error) {
  const DriftInterval strict = blocks.interval_of_best(error);
  if (is_beyond(strict, margin)) return {Verdict::fail, blocks.best(), strict};
  Drift nearest;
  double reach = -1;
  for (const DriftShape& shape : usual_drift_shapes()) {
    const DriftInterval usual = blocks.interval(shape, error_of_a_pass);
    const double one = reach_of(usual);
    if (one > reach) nearest = {one <= margin ? Verdict::pass : Verdict::inconclusive, shape, usual};
    reach = std::max(reach, one);
  }
  return nearest;
}

void leave_open(VerdictRow& row, const std::string& because) {
  row.verdict = Verdict::inconclusive;
  row.because = because;
  row.meaning = "whether it drifts is not known; a longer budget takes more samples";
  row.action = Action::retest;
}

void judge_drift(VerdictRow& row, const DriftSeries& series, double margin, double error) {
  row.n = static_cast<std::int64_t>(series.times_s.size());
  if (series.times_s.size() < fewest_samples)
    return leave_open(row, fmt::format("{} samples; a drift shows from {} on", row.n, fewest_samples));
  const DriftBlocks blocks(series.times_s);
  row.evidence.push_back(fmt::format("{} blocks; samples are correlated over {:.1f} of them", blocks.count(),
                                     blocks.correlation_time()));
  const Drift drift = blocks.enough() ? drift_of(blocks, margin, error) : Drift{};
  if (!drift.interval.lower) return leave_open(row, fmt::format("{} samples say as much as too few", row.n));
  const auto [value, lower, upper] = drift.interval;
  row.value = Number{100 * value, 100 * *lower, 100 * *upper};
  row.verdict = drift.verdict;
  row.action = action_of(row.verdict);
  row.smallest_defect = margin + value - *lower;
  row.because = fmt::format("its times moved by {:+.2f} % {} ({:+.2f} to {:+.2f} %){}", 100 * value,
                            drift.shape.where(), 100 * *lower, 100 * *upper, origin_mark({series.origin}));
  if (row.verdict == Verdict::inconclusive)
    row.meaning = "the interval crosses the margin; a longer budget narrows it";
  if (row.verdict != Verdict::fail) return;
  row.meaning = "it becomes slower as it works: heat, throttling, or memory that fills";
  if (value > 0) return;
  leave_open(row, row.because);
  row.meaning = "it becomes faster as it works: it had not warmed up, and its values are of no steady state";
}

VerdictRow row_of(const DriftSeries& series, double margin, double error) {
  VerdictRow row{.unit = series.unit,
                 .kind = series.kind,
                 .metric = series.metric + " drift",
                 .evidence = {"run " + series.run},
                 .origin = series.origin};
  row.value_unit = "% of its median over the run";
  row.limit = VerdictLimit{-100 * margin, 100 * margin};
  row.limit_source = "margin of this command (--drift)";
  judge_drift(row, series, margin, error);
  return row;
}

std::vector<Judged> judge_drifts(const Evidence& evidence) {
  const auto margin = evidence.share_of(drift_input);
  if (!margin) return {};
  DriftPoints points(evidence.store, evidence.order.filter);
  const double family_error = evidence.order.rules.family_error;
  Verdicts verdicts{.command = "accept", .subject = "drift", .expected_false_flags = family_error};
  points.each_series([&](const DriftSeries& series) {
    verdicts.rows.push_back(row_of(series, *margin, family_error / static_cast<double>(points.series())));
  });
  verdicts.notes.push_back(fmt::format("{} series of samples; a sound fleet fails in {:.1f} % of all cases",
                                       points.series(), 100 * family_error));
  if (points.together() > 0) verdicts.notes.push_back(together_note(points.together()));
  settle(verdicts);
  return {{.verdicts = std::move(verdicts)}};
}

}  // namespace

Judge drift_judge() {
  return {
      "drift",
      {{.kind = JudgeInput::Kind::share,
        .name = drift_input,
        .flag = "--drift",
        .about = "also judge whether times move by more than this from a run's first sample to its last"}},
      judge_drifts};
}

}  // namespace assay::results
