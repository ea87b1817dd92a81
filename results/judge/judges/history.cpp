// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// History of a unit over its runs: is a point slower than it was, since when, and what else changed then? The
// level of error is family-wise over all series.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "results/judge/change_point.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/run_histories.hpp"
#include "results/store/context_changes.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"

namespace assay::results {
namespace {

constexpr const char* history_input = "history";
constexpr std::size_t most_changes_named = 4;
constexpr double most_seen = 1;  // a change that doubles the time

double percent_of(double log) { return 100 * std::expm1(log); }

Number percent_of(const ChangePoint& change) {
  return {percent_of(change.shift), percent_of(change.lower), percent_of(change.upper)};
}

/// One series with its history, and what happened at its changes.
class SeriesStory {
 public:
  SeriesStory(const HostHistory& host, const HistorySeries& series, LevelHistory history)
      : host_(host), series_(series), history_(std::move(history)) {}

  const LevelHistory& history() const { return history_; }

  /// The earlier part that the last runs are most shown to be slower than, and else the one that they may be
  /// slowest against.
  std::size_t reference(double margin) const {
    const auto lower =
        std::ranges::max_element(history_.since, {}, &ChangePoint::lower) - history_.since.begin();
    if (history_.since[static_cast<std::size_t>(lower)].lower > margin)
      return static_cast<std::size_t>(lower);
    return static_cast<std::size_t>(std::ranges::max_element(history_.since, {}, &ChangePoint::upper) -
                                    history_.since.begin());
  }

  /// The greatest rise from that part on.
  const ChangePoint& cause(std::size_t part) const {
    return *std::max_element(
        history_.changes.begin() + static_cast<std::ptrdiff_t>(part), history_.changes.end(),
        [](const ChangePoint& one, const ChangePoint& other) { return one.shift < other.shift; });
  }

  std::string since(std::size_t part) const {
    const ChangePoint& change = cause(part);
    const Number value = percent_of(history_.since[part]);
    std::string text =
        fmt::format("{:.2f} % slower ({:.2f} to {:.2f} %)", value.value, *value.lower, *value.upper);
    const std::size_t steps = history_.changes.size() - part;
    if (steps > 1)
      text += fmt::format(" than before run {}, in {} steps, of which the largest is {:.2f} %",
                          run_at(history_.changes[part]).run_id, steps, percent_of(change.shift));
    const std::vector<std::string> differences = differences_at(change);
    return text + fmt::format(" from run {} ({}) on, after {} runs; {}{}", run_at(change).run_id,
                              run_at(change).started, change.at,
                              differences.empty() ? "no recorded difference from the run before"
                                                  : "then changed: " + named(differences),
                              origin_mark({series_.origin}));
  }

  std::vector<std::string> evidence(std::size_t part) const {
    const ChangePoint& change = cause(part);
    const HostRun& before = host_.runs[series_.runs[change.at - 1]];
    std::vector<std::string> lines{
        fmt::format("the last run before it: {} ({})", before.run_id, before.started)};
    std::ranges::move(differences_at(change), std::back_inserter(lines));
    for (std::size_t at = part; at < history_.changes.size(); ++at)
      if (const ChangePoint& other = history_.changes[at]; other.at != change.at)
        lines.push_back(fmt::format(
            "another change: {:+.2f} % from run {} ({}) on{}", percent_of(other.shift), run_at(other).run_id,
            run_at(other).started, differences_at(other).empty() ? "" : "; " + named(differences_at(other))));
    return lines;
  }

  /// "; slower for a time: 5.01 % from run r8 on, undone from run r14 on", where it was by more than the
  /// margin.
  std::string undone(double margin) const {
    for (std::size_t at = 0; at < history_.changes.size(); ++at) {
      if (!(history_.changes[at].lower > margin)) continue;
      double shift = history_.changes[at].shift;
      for (std::size_t later = at + 1; later < history_.changes.size(); ++later)
        if ((shift += history_.changes[later].shift) <= margin)
          return fmt::format("; slower for a time: {:.2f} % from run {} on, undone from run {} on",
                             percent_of(history_.changes[at].shift), run_at(history_.changes[at]).run_id,
                             run_at(history_.changes[later]).run_id);
    }
    return "";
  }

  bool has_recorded_cause(std::size_t part) const { return !differences_at(cause(part)).empty(); }
  const HostRun& run_at(const ChangePoint& change) const { return host_.runs[series_.runs[change.at]]; }

 private:
  std::vector<std::string> differences_at(const ChangePoint& change) const {
    return changes_between(host_.runs[series_.runs[change.at - 1]].context, run_at(change).context);
  }

  static std::string named(const std::vector<std::string>& differences) {
    const std::size_t shown = std::min(differences.size(), most_changes_named);
    std::string text = fmt::format(
        "{}", fmt::join(differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < differences.size()) text += fmt::format(" and {} more", differences.size() - shown);
    return text;
  }

  const HostHistory& host_;
  const HistorySeries& series_;
  LevelHistory history_;
};

class HistoryJudge {
 public:
  HistoryJudge(double margin, double error) : margin_(margin), shift_(std::log1p(margin)), error_(error) {}

  VerdictRow judge(const HostHistory& host, const HistorySeries& series, double correlation) const {
    VerdictRow row = row_of(series);
    if (series.levels.size() < fewest_runs_of_a_history) return too_few(std::move(row));
    const SeriesStory story(host, series, level_history(series.levels, error_, correlation));
    return story.history().changes.empty() ? level(std::move(row), story.history())
                                           : changed(std::move(row), story);
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

  static VerdictRow too_few(VerdictRow row) {
    row.verdict = Verdict::inconclusive;
    row.because = fmt::format("{} run{}; at least {} are needed", row.n, row.n == 1 ? "" : "s",
                              fewest_runs_of_a_history);
    row.meaning = "whether it became slower is not known; more runs show it";
    row.action = Action::retest;
    return row;
  }

  /// What it is now against what it was before: several rises below the margin add up.
  VerdictRow changed(VerdictRow row, const SeriesStory& story) const {
    const std::size_t part = story.reference(shift_);
    const ChangePoint& now = story.history().since[part];
    row.value = percent_of(now);
    if (now.upper <= shift_) return within_margin(std::move(row), story, now);
    if (now.shift <= 0) return scattered(std::move(row), now.upper, "since the last change");
    row.because = story.since(part);
    row.evidence = story.evidence(part);
    row.meaning = "it is slower than it was; what changed at that run is the first suspect, not a proof";
    if (now.lower > shift_) {
      row.verdict = Verdict::fail;
      row.action = story.has_recorded_cause(part) ? Action::configure : Action::monitor;
    } else {
      row.verdict = Verdict::inconclusive;
      row.meaning += fmt::format("; more runs show whether by more than {:.2g} %", 100 * margin_);
      row.action = Action::retest;
    }
    return row;
  }

  VerdictRow within_margin(VerdictRow row, const SeriesStory& story, const ChangePoint& now) const {
    if (story.history().upper > shift_)
      return scattered(std::move(row), story.history().upper, "since the last change");
    const std::string undone = story.undone(shift_);
    row.verdict = Verdict::pass;
    row.because =
        fmt::format("the last runs, from {} on, are {:.2f} % slower ({:.2f} to {:.2f} %) than earlier ones{}",
                    story.run_at(story.history().changes.back()).run_id, percent_of(now.shift),
                    percent_of(now.lower), percent_of(now.upper), undone);
    if (!undone.empty()) row.meaning = "it was slower for a time";
    return row;
  }

  /// No slowdown above the margin was shown.
  VerdictRow level(VerdictRow row, const LevelHistory& history) const {
    row.value = percent_of(history.largest);
    const std::string where = fmt::format("in {} runs", row.n);
    if (history.upper > shift_) return scattered(std::move(row), history.upper, where);
    row.smallest_defect = std::expm1(history.upper);
    row.because =
        fmt::format("no slowdown above {:.2g} % in {} runs; a change of up to {:.2f} % would not be seen",
                    100 * margin_, row.n, 100 * *row.smallest_defect);
    row.verdict = Verdict::pass;
    return row;
  }

  VerdictRow scattered(VerdictRow row, double upper, const std::string& where) const {
    const double defect = std::expm1(upper);
    if (defect < most_seen) row.smallest_defect = defect;
    row.verdict = Verdict::inconclusive;
    row.because =
        fmt::format("no slowdown above {:.2g} % shown {}; a change of {} would not be seen", 100 * margin_,
                    where, defect < most_seen ? fmt::format("up to {:.2f} %", 100 * defect) : "any size");
    row.meaning = "its runs scatter too much for the margin; more runs show smaller changes";
    row.action = Action::retest;
    return row;
  }

  double margin_, shift_, error_;
};

struct SeriesOfHost {
  const HostHistory* host = nullptr;
  HistorySeries series = {};
  bool is_common = false;
};

/// Those of all hosts, behind what they have in common.
std::vector<SeriesOfHost> series_in(const RunHistories& histories) {
  std::vector<SeriesOfHost> all;
  for (const auto& [name, host] : histories.hosts)
    if (HistorySeries common = common_series(name, host); !common.runs.empty())
      all.push_back({&host, std::move(common), true});
  for (const auto& [name, host] : histories.hosts)
    for (const auto& [id, series] : host.series) all.push_back({&host, series});
  return all;
}

double correlation_of(const std::vector<SeriesOfHost>& all) {
  std::vector<std::vector<RunLevel>> levels;
  for (const SeriesOfHost& one : all) levels.push_back(one.series.levels);
  return correlation_of_runs(levels);
}

std::vector<Judged> judge_history(const Evidence& evidence) {
  const auto margin = evidence.share_of(history_input);
  if (!margin) return {};
  const RunHistories histories = run_histories(evidence.store, evidence.order.filter);
  const std::vector<SeriesOfHost> all = series_in(histories);
  const double family_error = evidence.order.rules.family_error;
  Verdicts verdicts{.command = "accept", .subject = "history", .expected_false_flags = family_error};
  const HistoryJudge judge(*margin, family_error / static_cast<double>(std::max<std::size_t>(1, all.size())));
  const double correlation = correlation_of(all);
  for (const auto& [host, series, is_common] : all) {
    VerdictRow row = judge.judge(*host, series, correlation);
    // What shows nothing of all points says no more than each of them.
    if (!is_common || (row.verdict != Verdict::pass && !row.evidence.empty()))
      verdicts.rows.push_back(std::move(row));
  }
  verdicts.notes.push_back(fmt::format("{} series over runs; a sound fleet fails in {:.1f} % of all cases",
                                       all.size(), 100 * family_error));
  if (histories.together > 0) verdicts.notes.push_back(together_note(histories.together));
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
