// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that begin their collectives late in point after point of a run. A point names one among equal ranks
// with at most probability 1 % (collectives/measure/stragglers.hpp), whatever the tails: a rank is judged
// where so many points name it with at most that probability, and is late where its lateness is more than the
// margin of the collective's time. A record of rank 0 names the latest rank only; where the ranks' own
// journals are in the store, each says of its own rank.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/names.hpp"
#include "harness/core/statistics/beta_distribution.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "results/judge/fleet/fleet_point.hpp"
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

/// The ranks that points name as late, in one run and in the runs of its ranks' own journals.
struct NamedRanks {
  struct Late {
    std::string host;            // "" where no record says
    std::vector<double> shares;  // percent of the time, of each point that names the rank
  };
  std::int64_t points = 0;  // that searched for late ranks
  std::map<std::int64_t, Late> late;

  /// P(so many points name a rank), at most.
  double chance(std::size_t named) const {
    return core::incomplete_beta(naming_rate, static_cast<double>(named),
                                 static_cast<double>(points) - static_cast<double>(named) + 1);
  }
};

void take(NamedRanks& named, const FleetPoint& point, const std::string& host) {
  if (point.evidence.status != Status::ok || point.evidence.metric != core::names::time_us) return;
  if (!number_in(point, core::names::straggler_blocks)) return;
  ++named.points;
  const auto rank = number_in(point, core::names::straggler_rank);
  const auto late_us = number_in(point, core::names::straggler_late_us);
  if (!rank || !late_us || point.evidence.value.value <= 0) return;
  NamedRanks::Late& late = named.late[static_cast<std::int64_t>(*rank)];
  late.shares.push_back(100 * *late_us / point.evidence.value.value);
  late.host =
      host.empty() ? std::string(field_in(point.evidence.conditions, core::names::straggler_host)) : host;
}

VerdictRow straggler_row(const std::string& run) {
  return {.unit = run, .kind = "run", .limit_source = "margin of this judge"};
}

void judge_run(const std::string& run, const NamedRanks& named, double error_rate, Verdicts& verdicts) {
  const std::size_t before = verdicts.rows.size();
  for (const auto& [rank, late] : named.late) {
    const std::vector<double>& shares = late.shares;
    if (named.chance(shares.size()) > error_rate) continue;
    VerdictRow row = straggler_row(run);
    if (!late.host.empty()) {
      row.unit = late.host;
      row.kind = "host";
    }
    row.metric = fmt::format("rank {} begins collectives late", rank);
    row.value_unit = "% of the collective's time";
    row.limit = VerdictLimit{.highest = late_margin_percent};
    row.n = static_cast<std::int64_t>(shares.size());
    const core::QuantileInterval median = core::independent_quantile_interval(shares, 0.5, 0.95);
    hold_against_limit(row, {median.estimate, median.lower, median.upper});
    row.because = fmt::format("latest in {} of {} points of {}", shares.size(), named.points, run);
    if (row.verdict == Verdict::fail) row.meaning = "its process, host or GPU is slower than the others";
    verdicts.rows.push_back(row);
  }
  if (verdicts.rows.size() > before) return;
  VerdictRow row = straggler_row(run);
  row.metric = "ranks begin collectives late";
  row.verdict = Verdict::pass;
  row.n = named.points;
  row.because = fmt::format("no rank is named more often than by chance, in {} points", named.points);
  verdicts.rows.push_back(row);
}

/// Replaces what rank 0's record says of a run's ranks by what their own journals say.
void join(NamedRanks& whole, NamedRanks&& of_rank) {
  whole.points = std::max(whole.points, of_rank.points);
  for (auto& [rank, late] : of_rank.late) whole.late[rank] = std::move(late);
}

std::string host_of(const Store& store, const StoredRun& run) {
  const std::vector<ContextRecord> contexts = contexts_of(store, run);
  return contexts.empty() ? std::string() : contexts.front().host;
}

std::map<std::string, NamedRanks> late_ranks(const Evidence& evidence) {
  std::map<std::string, NamedRanks> named, of_ranks;
  FleetPoints points(evidence.store, evidence.order.filter, "collectives.*");
  for (const StoredRun& run : all_runs(evidence.store)) {
    const std::string whole = whole_run(run.run_id);
    const std::string host = whole == run.run_id ? "" : host_of(evidence.store, run);
    NamedRanks one;
    points.begin(run);
    while (const FleetPoint* point = points.next()) take(one, *point, host);
    if (one.points == 0) continue;
    if (host.empty())
      named[whole] = std::move(one);
    else
      join(of_ranks[whole], std::move(one));
  }
  for (auto& [run, one] : of_ranks) join(named[run], std::move(one));
  return named;
}

std::vector<Judged> judge_stragglers(const Evidence& evidence) {
  if (!evidence.order.accept) return {};
  Verdicts verdicts{.command = "accept", .subject = "ranks that begin collectives late"};
  const std::map<std::string, NamedRanks> runs = late_ranks(evidence);
  for (const auto& [run, named] : runs)
    judge_run(run, named, judge_error_rate / static_cast<double>(runs.size()), verdicts);
  if (verdicts.rows.empty()) return {};
  settle(verdicts);
  return {{.verdicts = std::move(verdicts)}};
}

}  // namespace

Judge stragglers_judge() { return {"stragglers", {}, judge_stragglers}; }

}  // namespace assay::results
