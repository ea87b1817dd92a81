// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// History of a unit over its runs: since when is a point slower, and what else changed then? One value a run:
// the median over its repetitions. The level of error is family-wise over all series.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "results/judge/change_point.hpp"
#include "results/judge/judges.hpp"
#include "results/store/context_changes.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr const char* history_input = "history";
constexpr double deviations_of_interval = 1.96;  // from the middle of a 95 % interval to its end
constexpr std::size_t most_changes_named = 4;

/// Of one host, by rising time.
struct HostRun {
  std::string run_id, started;
  ContextRecord context;  // of its first process
};

struct HistorySeries {
  std::string unit, kind, metric, origin;
  std::vector<std::size_t> runs;  // of the host's
  std::vector<RunLevel> levels;
};

struct HostHistory {
  std::vector<HostRun> runs;
  std::map<std::pair<std::string, std::string>, HistorySeries> series;  // by unit and metric
};

RunLevel level_of(const std::vector<StoredPoint>& repetitions) {
  std::vector<double> logs;
  double error = 0;
  for (const StoredPoint& one : repetitions) {
    logs.push_back(std::log(one.time_s));
    const double half = std::max(0.0, one.upper_s - one.lower_s) / 2 / one.time_s;
    error = std::max(error, half / deviations_of_interval);
  }
  return {median(std::move(logs)), error};
}

class HistoryReader {
 public:
  HistoryReader(const Store& store, std::string filter) : store_(store), filter_(std::move(filter)) {}

  void read(const StoredRun& run) {
    const auto contexts = contexts_by_process(store_, run);
    std::map<std::string, std::size_t> place;  // of this run among the host's
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<StoredPoint>> repetitions;
    for (StoredPoint& point : points_in_order(store_, run, filter_, -1)) {
      const auto context = contexts.find(point.process);
      if (point.status != Status::ok || context == contexts.end() || !(point.time_s > 0)) continue;
      if (measured_together(context->second)) {
        ++together_;
        continue;
      }
      const std::string& host = context->second.host;
      if (place.emplace(host, hosts_[host].runs.size()).second)
        hosts_[host].runs.push_back({run.run_id, run.started, context->second});
      const PointIdentity identity = identity_of(point.case_name, point.key);
      HistorySeries& series = hosts_[host].series[{identity.unit(host), identity.metric}];
      series.unit = identity.unit(host), series.metric = identity.metric;
      series.kind = identity.gpu.empty() ? "host" : "gpu";
      series.origin = to_string(context->second.origin);
      repetitions[{host, series.unit, series.metric}].push_back(std::move(point));
    }
    for (const auto& [name, points] : repetitions) {
      const auto& [host, unit, metric] = name;
      HistorySeries& series = hosts_[host].series[{unit, metric}];
      series.runs.push_back(place.at(host));
      series.levels.push_back(level_of(points));
    }
  }

  std::map<std::string, HostHistory> take() { return std::move(hosts_); }
  std::size_t together() const { return together_; }

 private:
  const Store& store_;
  std::string filter_;
  std::map<std::string, HostHistory> hosts_;
  std::size_t together_ = 0;
};

double percent_of(double log) { return 100 * std::expm1(log); }

Number percent_of(const ChangePoint& change) {
  return {percent_of(change.shift), percent_of(change.lower), percent_of(change.upper)};
}

/// The first later change after which the series is as fast as before this one, within the margin.
std::optional<std::size_t> undone_by(const LevelHistory& history, std::size_t change, double margin) {
  double shift = history.changes[change].shift;
  for (std::size_t later = change + 1; later < history.changes.size(); ++later)
    if ((shift += history.changes[later].shift) <= std::log1p(margin)) return later;
  return std::nullopt;
}

class HistoryJudge {
 public:
  HistoryJudge(double margin, double error) : margin_(margin), error_(error) {}

  std::vector<VerdictRow> judge(const HostHistory& host, const HistorySeries& series,
                                double correlation) const {
    const std::size_t runs = series.levels.size();
    VerdictRow row = row_of(series);
    if (runs < fewest_runs_of_a_history) {
      row.verdict = Verdict::inconclusive;
      row.because = fmt::format("{} runs; a history shows from {} on", runs, fewest_runs_of_a_history);
      row.meaning = "whether it became slower is not known; more runs show it";
      row.action = Action::retest;
      return {row};
    }
    const LevelHistory history = level_history(series.levels, error_, correlation);
    std::vector<VerdictRow> rows;
    for (std::size_t at = 0; at < history.changes.size(); ++at)
      if (history.changes[at].lower > std::log1p(margin_)) rows.push_back(slower(host, series, history, at));
    if (rows.empty()) rows.push_back(level(row, history));
    return rows;
  }

 private:
  VerdictRow row_of(const HistorySeries& series) const {
    VerdictRow row{.unit = series.unit, .kind = series.kind, .metric = series.metric + " history"};
    row.n = static_cast<std::int64_t>(series.levels.size());
    row.value_unit = "% of its time, change between runs";
    row.limit = VerdictLimit{.highest = 100 * margin_};
    row.limit_source = "margin of this command (--history)";
    return row;
  }

  VerdictRow slower(const HostHistory& host, const HistorySeries& series, const LevelHistory& history,
                    std::size_t at) const {
    const ChangePoint& change = history.changes[at];
    const HostRun& before = host.runs[series.runs[change.at - 1]];
    const HostRun& after = host.runs[series.runs[change.at]];
    VerdictRow row = row_of(series);
    row.value = percent_of(change);
    std::vector<std::string> causes = changes_between(before.context, after.context);
    row.because = fmt::format(
        "{:.2f} % slower ({:.2f} to {:.2f} %) from run {} ({}) on, after {} runs; {}{}", row.value->value,
        *row.value->lower, *row.value->upper, after.run_id, after.started, change.at,
        causes.empty() ? "no recorded difference from the run before" : "then changed: " + named(causes),
        origin_mark({series.origin}));
    row.evidence.push_back(fmt::format("the last run before it: {} ({})", before.run_id, before.started));
    for (std::string& cause : causes) row.evidence.push_back(std::move(cause));
    if (const auto later = undone_by(history, at, margin_)) {
      row.verdict = Verdict::pass;
      row.because +=
          fmt::format("; undone from run {} on", host.runs[series.runs[history.changes[*later].at]].run_id);
      row.meaning = "it was slower for a time";
      return row;
    }
    row.verdict = Verdict::fail;
    row.meaning = "it is slower than it was; what changed at that run is the first suspect, not a proof";
    row.action = causes.empty() ? Action::monitor : Action::configure;
    return row;
  }

  static std::string named(const std::vector<std::string>& causes) {
    const std::size_t shown = std::min(causes.size(), most_changes_named);
    std::string text = fmt::format(
        "{}", fmt::join(causes.begin(), causes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < causes.size()) text += fmt::format(" and {} more", causes.size() - shown);
    return text;
  }

  /// No slowdown above the margin was shown.
  VerdictRow level(VerdictRow row, const LevelHistory& history) const {
    row.value = percent_of(history.largest);
    row.smallest_defect = std::expm1(history.upper);
    row.because =
        fmt::format("no slowdown above {:.2g} % in {} runs; a change of up to {:.2f} % would not be seen",
                    100 * margin_, row.n, 100 * *row.smallest_defect);
    row.verdict = *row.smallest_defect <= margin_ ? Verdict::pass : Verdict::inconclusive;
    if (row.verdict == Verdict::pass) return row;
    row.meaning = "its runs scatter too much for the margin; more runs show smaller changes";
    row.action = Action::retest;
    return row;
  }

  double margin_, error_;
};

double correlation_of(const HostHistory& host) {
  std::vector<std::vector<RunLevel>> all;
  for (const auto& [name, series] : host.series) all.push_back(series.levels);
  return correlation_of_runs(all);
}

std::vector<Judged> judge_history(const Evidence& evidence) {
  const auto margin = evidence.share_of(history_input);
  if (!margin) return {};
  HistoryReader reader(evidence.store, evidence.order.filter);
  std::vector<StoredRun> runs = whole_runs(evidence.store);
  std::ranges::stable_sort(runs, {}, &StoredRun::started);
  for (const StoredRun& run : runs) reader.read(run);
  const std::map<std::string, HostHistory> hosts = reader.take();
  std::size_t count = 0;
  for (const auto& [name, host] : hosts) count += host.series.size();
  const double family_error = evidence.order.rules.family_error;
  Verdicts verdicts{.command = "accept", .subject = "history", .expected_false_flags = family_error};
  const HistoryJudge judge(*margin, family_error / static_cast<double>(std::max<std::size_t>(1, count)));
  for (const auto& [name, host] : hosts) {
    const double correlation = correlation_of(host);
    for (const auto& [id, series] : host.series)
      for (VerdictRow& row : judge.judge(host, series, correlation)) verdicts.rows.push_back(std::move(row));
  }
  verdicts.notes.push_back(fmt::format("{} series over runs; a sound fleet fails in {:.1f} % of all cases",
                                       count, 100 * family_error));
  if (reader.together() > 0) verdicts.notes.push_back(together_note(reader.together()));
  settle(verdicts);
  return {with_table(std::move(verdicts))};
}

}  // namespace

Judge history_judge() {
  return {"history",
          {{.kind = JudgeInput::Kind::share,
            .name = history_input,
            .flag = "--history",
            .about = "also judge whether times rose by more than this from one run of a unit to later ones"}},
          judge_history};
}

}  // namespace assay::results
