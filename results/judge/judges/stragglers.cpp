// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that begin their collectives late in point after point of a run. A point names one among equal ranks
// with at most probability 1 % (collectives/measure/stragglers.hpp), whatever the tails: a rank is judged
// where so many points name it with at most that probability, and is late where its lateness is more than the
// margin of the collective's time.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/beta_distribution.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics.hpp"
#include "results/judge/fleet_point.hpp"
#include "results/judge/judges.hpp"
#include "results/points/point_outline.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double late_margin_percent = 5;  // of a collective's time
constexpr double naming_rate = 0.01;       // of a point, among equal ranks
constexpr double judge_error_rate = 0.01;  // of all runs together

std::optional<double> number_in(const FleetPoint& point, const char* condition) {
  const std::string_view text = field_in(point.evidence.conditions, condition);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && !text.empty() ? std::optional(value) : std::nullopt;
}

/// Of one run.
struct NamedRanks {
  std::int64_t points = 0;                           // that searched for late ranks
  std::map<std::int64_t, std::vector<double>> late;  // by rank: percent of the time, of each that names it

  void take(const FleetPoint& point) {
    if (point.evidence.status != Status::ok || point.evidence.metric != core::names::time_us) return;
    if (!number_in(point, core::names::straggler_blocks)) return;
    ++points;
    const auto rank = number_in(point, core::names::straggler_rank);
    const auto late_us = number_in(point, core::names::straggler_late_us);
    if (rank && late_us && point.evidence.value.value > 0)
      late[static_cast<std::int64_t>(*rank)].push_back(100 * *late_us / point.evidence.value.value);
  }
  /// P(so many points name a rank), at most.
  double chance(std::size_t named) const {
    return core::incomplete_beta(naming_rate, static_cast<double>(named),
                                 static_cast<double>(points) - static_cast<double>(named) + 1);
  }
};

VerdictRow straggler_row(const std::string& run) {
  return {.unit = run, .kind = "run", .limit_source = "margin of this judge"};
}

void judge_run(const std::string& run, const NamedRanks& named, double error_rate, Verdicts& verdicts) {
  const std::size_t before = verdicts.rows.size();
  for (const auto& [rank, late] : named.late) {
    if (named.chance(late.size()) > error_rate) continue;
    VerdictRow& row = verdicts.rows.emplace_back(straggler_row(run));
    row.metric = fmt::format("rank {} begins collectives late", rank);
    row.value_unit = "% of the collective's time";
    row.limit = VerdictLimit{.highest = late_margin_percent};
    row.n = static_cast<std::int64_t>(late.size());
    const core::QuantileInterval median = core::independent_quantile_interval(late, 0.5, 0.95);
    hold_against_limit(row, {median.estimate, median.lower, median.upper});
    row.because = fmt::format("latest in {} of {} points", late.size(), named.points);
    if (row.verdict == Verdict::fail) row.meaning = "its process, host or GPU is slower than the others";
  }
  if (verdicts.rows.size() > before) return;
  VerdictRow& row = verdicts.rows.emplace_back(straggler_row(run));
  row.metric = "ranks begin collectives late";
  row.verdict = Verdict::pass;
  row.n = named.points;
  row.because = fmt::format("no rank is named more often than by chance, in {} points", named.points);
}

std::vector<Judged> judge_stragglers(const Evidence& evidence) {
  if (!evidence.order.accept) return {};
  Verdicts verdicts{.command = "accept", .subject = "ranks that begin collectives late"};
  FleetPoints points(evidence.store, evidence.order.filter, "collectives.*");
  std::vector<std::pair<std::string, NamedRanks>> runs;
  for (const StoredRun& run : all_runs(evidence.store)) {
    NamedRanks named;
    points.begin(run);
    while (const FleetPoint* point = points.next()) named.take(*point);
    if (named.points > 0) runs.emplace_back(run.run_id, std::move(named));
  }
  for (const auto& [run, named] : runs)
    judge_run(run, named, judge_error_rate / static_cast<double>(runs.size()), verdicts);
  if (verdicts.rows.empty()) return {};
  settle(verdicts);
  return {with_table(std::move(verdicts))};
}

}  // namespace

Judge stragglers_judge() { return {"stragglers", {}, judge_stragglers}; }

}  // namespace assay::results
