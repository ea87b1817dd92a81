// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// History of a unit over its runs: is a point slower than it was, since when, and what else changed then? The
// level of error is family-wise over all series.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "harness/core/units.hpp"
#include "results/judge/history/history_story.hpp"
#include "results/judge/history/run_histories.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/statistics/change_point.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

constexpr const char* history_input = "history";
constexpr double most_seen = 1;  // a change that doubles the time

class HistoryJudge {
 public:
  HistoryJudge(double margin, const HistoryErrors& errors)
      : margin_(margin), shift_(std::log1p(margin)), errors_(errors) {}

  VerdictRow judge(const HostHistory& host, const HistorySeries& series, double correlation) const {
    VerdictRow row = row_of(series);
    if (series.levels.size() < fewest_runs_of_a_history) return too_few(std::move(row));
    const LevelHistory history = level_history(series.levels, errors_, correlation);
    return history.changes.empty() ? level(std::move(row), history)
                                   : changed(std::move(row), history, HistoryStory(host, series, history));
  }

 private:
  VerdictRow row_of(const HistorySeries& series) const {
    VerdictRow row{.unit = series.unit,
                   .kind = series.kind,
                   .metric = series.metric + " history",
                   .origin = series.origin};
    row.n = static_cast<std::int64_t>(series.levels.size());
    row.value_unit = "% of its time, change between runs";
    row.limit = VerdictLimit{.highest = 100 * margin_};
    row.limit_source = "margin of this command (--history)";
    return row;
  }

  static VerdictRow too_few(VerdictRow row) {
    row.verdict = Verdict::inconclusive;
    row.because =
        fmt::format("{}; at least {} are needed", core::counted(row.n, "run"), fewest_runs_of_a_history);
    row.meaning = "whether it became slower is not known; more runs show it";
    row.action = Action::retest;
    return row;
  }

  /// Compares its level now with that before: several rises below the margin add up.
  VerdictRow changed(VerdictRow row, const LevelHistory& history, const HistoryStory& story) const {
    const std::size_t part = story.reference(shift_);
    const ChangePoint& now = history.since[part];
    row.value = percent_of_shift(now);
    if (now.upper <= shift_) return within_margin(std::move(row), history, story);
    if (now.shift <= 0) return scattered(std::move(row), now.upper, "since the last change");
    Rise rise = story.rise_since(part);
    row.because = std::move(rise.because);
    row.evidence = std::move(rise.evidence);
    row.meaning = "it is slower than it was; what changed at that run is the first suspect, not a proof";
    if (now.lower > shift_) {
      row.verdict = Verdict::fail;
      row.action = rise.has_recorded_cause ? Action::configure : Action::monitor;
    } else {
      row.verdict = Verdict::inconclusive;
      row.meaning += fmt::format("; more runs show whether by more than {:.2g} %", 100 * margin_);
      row.action = Action::retest;
    }
    return row;
  }

  VerdictRow within_margin(VerdictRow row, const LevelHistory& history, const HistoryStory& story) const {
    if (history.upper > shift_) return scattered(std::move(row), history.upper, "since the last change");
    const std::string undone = story.undone(shift_);
    row.verdict = Verdict::pass;
    row.because =
        fmt::format("time from run {} on: {:+.2f} % ({:+.2f} to {:+.2f} %) against earlier runs{}",
                    story.last_change(), row.value->value, *row.value->lower, *row.value->upper, undone);
    if (!undone.empty()) row.meaning = "it was slower for a time";
    return row;
  }

  /// No slowdown above the margin was shown.
  VerdictRow level(VerdictRow row, const LevelHistory& history) const {
    row.value = percent_of_shift(history.largest);
    const std::string where = fmt::format("in {} runs", row.n);
    if (history.upper > shift_) return scattered(std::move(row), history.upper, where);
    row.smallest_defect = std::expm1(history.upper);
    row.because = fmt::format("no slowdown above {:.2g} % in {} runs: by {:.2f} % at most", 100 * margin_,
                              row.n, 100 * *row.smallest_defect);
    row.verdict = Verdict::pass;
    return row;
  }

  VerdictRow scattered(VerdictRow row, double upper, const std::string& where) const {
    const double defect = std::expm1(upper);
    if (defect < most_seen) row.smallest_defect = defect;
    row.verdict = Verdict::inconclusive;
    row.because = fmt::format("no slowdown above {:.2g} % shown {}; it may be {}", 100 * margin_, where,
                              defect < most_seen ? fmt::format("up to {:.2f} %", 100 * defect) : "any size");
    row.meaning = "its runs scatter too much for the margin; more runs show smaller changes";
    row.action = Action::retest;
    return row;
  }

  double margin_, shift_;
  HistoryErrors errors_;
};

/// Calls `take` with what the series of a host have in common, for every host, then with each series.
void each_history(const RunHistories& histories,
                  const std::function<void(const HostHistory&, const HistorySeries&)>& take) {
  for (const auto& [name, host] : histories.hosts())
    if (!host.common.runs.empty()) take(host, host.common);
  for (const auto& [name, host] : histories.hosts())
    histories.each_series(host, [&, &of = host](const HistorySeries& series) { take(of, series); });
}

std::vector<Judged> judge_history(const Evidence& evidence) {
  const auto margin = evidence.share_of(history_input);
  if (!margin) return {};
  const RunHistories histories(evidence.store, evidence.order.filter);
  std::size_t all = 0;
  RunCorrelation correlation;
  each_history(histories, [&](const HostHistory&, const HistorySeries& series) {
    ++all;
    correlation.add(series.levels);
  });
  const FleetRules& rules = evidence.order.rules;
  const double family_error = rules.family_error;
  Verdicts verdicts{.command = "accept", .subject = "history", .expected_false_flags = family_error};
  const double of_runs = correlation.value();
  const HistoryJudge judge(*margin,
                           {.change = family_error / static_cast<double>(std::max<std::size_t>(1, all)),
                            .unseen = rules.pass_error});
  each_history(histories, [&](const HostHistory& host, const HistorySeries& series) {
    const bool is_common = &series == &host.common;
    const VerdictRow row = judge.judge(host, series, of_runs);
    // A common series that shows nothing says no more than each of the points.
    if (!is_common || (row.verdict != Verdict::pass && !row.evidence.empty())) verdicts.rows.push_back(row);
  });
  verdicts.notes.push_back(
      fmt::format("{} series over runs; a sound fleet fails in {:.1f} % of all cases, and one with a series "
                  "that became slower by the margin passes in {:.1f} %",
                  all, 100 * family_error, 100 * rules.pass_error));
  if (histories.together() > 0) verdicts.notes.push_back(together_note(histories.together()));
  settle(verdicts);
  return {{.verdicts = std::move(verdicts)}};
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
