// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/limited_aggregates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "harness/core/units.hpp"
#include "results/judge/series/aggregate_runs.hpp"
#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

using LimitedSpan = std::span<const LimitedPoint* const>;

/// "different statistic: 'a' and 'b'"; "" where all are the same measurement.
std::string different_in(LimitedSpan points) {
  for (const LimitedPoint* point : points) {
    if (point->is_aggregate != points.front()->is_aggregate)
      return "different evidence: samples, and one number a run";
    if (const auto differs = difference_of(points.front()->definition, point->definition))
      return fmt::format("different {}: '{}' and '{}'", differs->part, differs->one, differs->other);
  }
  return "";
}

/// One value a run: repetitions in it are not fresh starts.
std::vector<double> values_of_runs(LimitedSpan points) {
  std::map<std::int64_t, std::vector<double>> by_run;
  for (const LimitedPoint* point : points) by_run[point->run].push_back(point->value.value);
  std::vector<double> values;
  for (const auto& [run, of_run] : by_run) values.push_back(core::quantile_of(of_run, 0.5));
  return values;
}

Number extent_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  return {core::quantile_of(values, 0.5), least, most};
}

/// The 95 % interval of the mean between runs, widened to all of them.
Number between_runs(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Number all = extent_of(values);
  if (values.size() < AggregateRuns::fewest) return all;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double reach = core::student_t_quantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
  all.lower = std::min(*all.lower, mean - reach);
  all.upper = std::max(*all.upper, mean + reach);
  return all;
}

void leave_undecided(VerdictRow& row, std::string because) {
  row.verdict = Verdict::inconclusive;
  row.smallest_defect.reset();
  row.because = std::move(because);
  row.action = Action::retest;
}

}  // namespace

void hold_aggregates_against_limit(VerdictRow& row, LimitedSpan points) {
  row.origin = to_string(points.front()->origin);
  if (const std::string different = different_in(points); !different.empty())
    return leave_undecided(row, different);
  const std::vector<double> values = values_of_runs(points);
  const auto runs = std::ssize(values);
  const auto fewest = static_cast<std::ptrdiff_t>(AggregateRuns::fewest);
  row.n = runs;
  hold_against_limit(row, extent_of(values));
  const bool all_beyond = row.verdict == Verdict::fail && runs > 1;
  if (!all_beyond) hold_against_limit(row, between_runs(values));
  const std::string value = fmt::format("{} {}", number_text(*row.value), row.value_unit);
  const std::string of_runs =
      fmt::format("in {} without samples, {}", core::counted(runs, "run"), row.origin);
  if (!all_beyond && runs < fewest)
    return leave_undecided(row, fmt::format("{}: {}; {} would decide", value, of_runs,
                                            core::counted(fewest - runs, "more run")));
  const char* const because = row.verdict == Verdict::pass   ? "within the limit"
                              : row.verdict == Verdict::fail ? "all beyond the limit"
                                                             : "the interval between runs crosses the limit";
  row.because = fmt::format("{}: {} {}", value, because, of_runs);
  row.meaning = row.verdict == Verdict::fail ? "does not do what this type of machine does" : "";
}

}  // namespace assay::results
