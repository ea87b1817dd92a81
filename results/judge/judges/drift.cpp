// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Drift of a unit within its own run: do the times of a point move from its first sample to its last?
//
// Samples in order of time become medians of consecutive blocks, long against the time over which samples are
// correlated. Theil-Sen slope of the medians, with the interval that the Mann-Kendall statistic gives it (Sen
// 1968, J. Am. Stat. Assoc. 63; Kendall 1975), as free of the shape of the noise as a rank test. The level is
// family-wise over all series, so that a sound fleet has a series that fails no more often than FleetRules
// say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "harness/core/statistics.hpp"
#include "results/judge/drift_points.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/robust_statistics.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

constexpr const char* drift_input = "drift";
constexpr std::size_t fewest_blocks = 8, most_blocks = 24;
constexpr double correlation_times_a_block = 3;

/// In percent of the median, over the whole series.
struct Drift {
  Number percent;
  std::size_t blocks = 0;
  double correlation_time = 1;  // in samples
};

/// Of consecutive blocks, as equal in length as can be.
std::vector<double> block_medians(std::span<const double> values, std::size_t blocks) {
  std::vector<double> medians;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * values.size() / blocks, end = (block + 1) * values.size() / blocks;
    medians.push_back(core::quantile_of(values.subspan(begin, end - begin), 0.5));
  }
  return medians;
}

/// Of every pair, sorted.
std::vector<double> slopes_of(std::span<const double> values) {
  std::vector<double> slopes;
  for (std::size_t j = 1; j < values.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  std::ranges::sort(slopes);
  return slopes;
}

/// Less their trend and median, and no further out than three standard deviations, so that a wild sample does
/// not hide that the others are correlated.
std::vector<double> residuals_of(std::span<const double> values) {
  const double trend = core::quantile_of(slopes_of(block_medians(values, most_blocks)), 0.5) * most_blocks;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < values.size(); ++i)
    residuals.push_back(values[i] - trend * static_cast<double>(i) / static_cast<double>(values.size()));
  const double middle = core::quantile_of(residuals, 0.5);
  std::vector<double> distances;
  for (double& residual : residuals) distances.push_back(std::abs(residual -= middle));
  const double most = 3 * sd_of_median_distance * core::quantile_of(distances, 0.5);
  for (double& residual : residuals) residual = std::clamp(residual, -most, most);
  return residuals;
}

/// 1 + 2 sums of autocorrelations, pair by pair while those are positive (Geyer 1992, Stat. Sci. 7). Stops
/// where blocks would be too few anyway.
double correlation_time_of(std::span<const double> residuals) {
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < residuals.size(); ++i) sum += residuals[i] * residuals[i - lag];
    return sum;
  };
  const double variance = covariance(0);
  double time = -1;
  for (std::size_t lag = 0; variance > 0 && lag + 1 < residuals.size() / fewest_blocks; lag += 2) {
    const double pair = (covariance(lag) + covariance(lag + 1)) / variance;
    if (pair <= 0) break;
    time += 2 * pair;
  }
  return std::max(1.0, time);
}

/// Variance of Kendall's S of so many values (Kendall 1975), more where neighbours are still correlated: by
/// (1 + r) / (1 - r) with the r of medians of blocks of an autoregressive series.
double variance_of_s(std::size_t blocks, double correlation_time, double block_length) {
  const auto n = static_cast<double>(blocks);
  const double r = (correlation_time * correlation_time - 1) / (4 * correlation_time * block_length);
  return n * (n - 1) * (2 * n + 5) / 18 * (1 + r) / (1 - r);
}

Drift drift_of(std::span<const double> times_s, double error) {
  Drift drift;
  drift.correlation_time = correlation_time_of(residuals_of(times_s));
  const auto samples = static_cast<double>(times_s.size());
  drift.blocks = std::min(
      most_blocks, static_cast<std::size_t>(samples / (correlation_times_a_block * drift.correlation_time)));
  if (drift.blocks < fewest_blocks) return drift;
  const auto blocks = static_cast<double>(drift.blocks);
  const std::vector<double> slopes = slopes_of(block_medians(times_s, drift.blocks));
  const double percent = 100 * blocks / core::quantile_of(times_s, 0.5);
  drift.percent.value = percent * core::quantile_of(slopes, 0.5);
  const double s = normal_quantile(1 - error) *
                   std::sqrt(variance_of_s(drift.blocks, drift.correlation_time, samples / blocks));
  const double rank = std::floor((static_cast<double>(slopes.size()) - s) / 2);
  if (rank < 1) return drift;
  const auto outermost = static_cast<std::size_t>(rank) - 1;
  drift.percent.lower = percent * slopes[outermost];
  drift.percent.upper = percent * slopes[slopes.size() - 1 - outermost];
  return drift;
}

void leave_open(VerdictRow& row, const std::string& because) {
  row.verdict = Verdict::inconclusive;
  row.because = because;
  row.meaning = "whether it drifts is not known; a longer budget takes more samples";
  row.action = Action::retest;
}

void judge_drift(VerdictRow& row, const DriftSeries& series, double margin, double error) {
  row.n = static_cast<std::int64_t>(series.times_s.size());
  const std::size_t needed = static_cast<std::size_t>(correlation_times_a_block) * fewest_blocks;
  if (series.times_s.size() < needed)
    return leave_open(row, fmt::format("{} samples; a drift shows from {} on", row.n, needed));
  const Drift drift = drift_of(series.times_s, error);
  row.evidence.push_back(fmt::format("{} blocks; samples are correlated over {:.1f} of them", drift.blocks,
                                     drift.correlation_time));
  if (!drift.percent.lower) return leave_open(row, fmt::format("{} samples say as much as too few", row.n));
  hold_against_limit(row, drift.percent);
  row.smallest_defect = margin + (drift.percent.value - *drift.percent.lower) / 100;
  row.because =
      fmt::format("its times moved by {:+.2f} % over the run ({:+.2f} to {:+.2f} %){}", drift.percent.value,
                  *drift.percent.lower, *drift.percent.upper, origin_mark({series.origin}));
  if (row.verdict == Verdict::inconclusive)
    row.meaning = "the interval crosses the margin; a longer budget narrows it";
  if (row.verdict != Verdict::fail) return;
  row.meaning = "it becomes slower as it works: heat, throttling, or memory that fills";
  if (drift.percent.value > 0) return;
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
