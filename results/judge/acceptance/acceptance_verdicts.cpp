// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/core/units.hpp"
#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {
namespace {

class Rows {
 public:
  explicit Rows(const FleetAcceptance& acceptance)
      : measured_(acceptance.measured),
        rules_(acceptance.rules),
        judged_(acceptance.judged),
        slow_under_load_(acceptance.slow_under_load),
        has_limits_(acceptance.has_limits) {}

  std::vector<VerdictRow> take() {
    for (const FleetIssue& point : measured_.failed) add_failed(point);
    for (const FleetFinding& one : judged_.findings) add_finding(one);
    for (const FleetFinding& one : slow_under_load_)
      add_loss(Verdict::inconclusive, one, " under load", finding_text(one)).meaning =
          "slow while another module runs on the node: heat, power, or a path that both share; how long the "
          "two ran at one time may differ too";
    for (const FleetIssue& point : measured_.doubted) add_doubted(point);
    for (const FleetIssue& doubt : measured_.host_doubts)
      add(Verdict::inconclusive, "", "host", "records", doubt.reason).meaning = doubt.meaning;
    for (const FleetClock& one : judged_.wrong_clocks)
      add(Verdict::inconclusive, one.place, one.level, "clock", clock_text(one)).meaning =
          "its clock runs wrong, it did less work, or it is not of their kind: a slow part of it would not "
          "show";
    for (const FleetUnlike& one : judged_.unlike) add_unlike(one);
    for (const FleetIssue& point : measured_.uneven)
      add(Verdict::inconclusive, point.unit, unit_level(), point.metric, point.reason).meaning =
          "part of its samples are slow, which a median does not see: heat, a limit of power, or what runs "
          "next "
          "to it";
    for (const FleetIssue& missing : measured_.missing) add_missing(missing);
    for (const FleetIssue& gap : measured_.gaps)
      add(Verdict::pass, gap.unit, unit_level(), "rounds of its equals", gap.text());
    for (const std::string& block : judged_.small_blocks) add_small_block(block);
    for (const FleetIssue& level : judged_.too_few) add_small_level(level);
    for (const FleetLook& look : judged_.looks) add_look(look);
    return std::move(rows_);
  }

 private:
  VerdictRow& add(Verdict verdict, const std::string& unit, const std::string& kind,
                  const std::string& metric, const std::string& because) {
    rows_.push_back({.unit = unit, .kind = kind, .metric = metric, .verdict = verdict, .because = because});
    rows_.back().action = action_of(verdict);
    return rows_.back();
  }

  void add_failed(const FleetIssue& point) {
    VerdictRow& row = add(Verdict::fail, point.unit, unit_level(), point.metric, point.reason);
    row.n = 1;
    row.meaning = point.meaning.empty() ? "what cannot be measured here cannot be relied on" : point.meaning;
  }

  void add_doubted(const FleetIssue& point) {
    VerdictRow& row = add(Verdict::inconclusive, point.unit, unit_level(), point.metric, doubt_text(point));
    row.meaning = "its own record counts against the measurement; fix the cause and measure again";
  }

  /// A loss in percent of the equals, and its limit.
  VerdictRow& add_loss(Verdict verdict, const FleetFinding& one, const std::string& conditions,
                       const std::string& because) {
    VerdictRow& row = add(verdict, one.place, one.level, one.metric + conditions, because);
    row.value = Number{.value = 100 * one.loss};
    if (one.lower) row.value->lower = 100 * *one.lower;
    if (one.upper) row.value->upper = 100 * *one.upper;
    row.value_unit = "% below its equals";
    row.limit = VerdictLimit{.highest = 100 * one.limit};
    row.limit_source = one.kind == FindingKind::beyond_site
                           ? "what the site tolerates (--site-margin)"
                           : "margin of this command, against equal hardware in the same fleet";
    row.n = static_cast<std::int64_t>(one.runs);
    return row;
  }

  void add_finding(const FleetFinding& one) {
    VerdictRow& row = add_loss(one.is_fault() ? Verdict::fail : Verdict::inconclusive, one, "",
                               (one.is_fault() ? "" : "suspect: ") + finding_text(one));
    row.meaning = meaning_of(one.kind);
    if (!one.explained_by.empty()) {
      row.meaning = one.explained_by + " is at fault, and not what is at its ends";
      row.action = Action::none;
    }
    for (const FleetLook& look : judged_.looks)
      if (look.level == one.level && look.metric == one.metric) {
        row.smallest_defect = look.seen;
        row.evidence = {spread_text(look)};
      }
  }

  static std::string spread_text(const FleetLook& look) {
    return fmt::format("{} {}s: one run varies by {} (robust standard deviation), {} of it lasts",
                       look.places, look.level, percent_text(look.noise), percent_text(look.lasting));
  }

  static const char* meaning_of(FindingKind kind) {
    switch (kind) {
      case FindingKind::unlike_equals:
        return "slower than equal hardware, by more than its kind spreads";
      case FindingKind::beyond_site:
        return "slower than the site tolerates, however usual that is";
      case FindingKind::some_runs:
        return "it is slow now and then, or those runs were disturbed; fix the cause and judge runs made "
               "after it";
      case FindingKind::suspect:
        break;
    }
    return "slow, and not yet distinguished from noise";
  }

  void add_unlike(const FleetUnlike& one) {
    VerdictRow& row =
        add(Verdict::inconclusive, "", one.level, one.metric, unlike_text(one) + ": more than a tenth");
    row.n = one.places;
    row.meaning = "in a fleet so divided, which side is sound is unknown";
    row.action = Action::configure;
  }

  void add_missing(const FleetIssue& missing) {
    VerdictRow& row =
        add(Verdict::not_run, missing.unit, unit_level(), "points that its equals have", missing.text());
    row.meaning = "what was not measured is not accepted";
  }

  void add_small_block(const std::string& block) {
    VerdictRow& row = add(Verdict::inconclusive, "", unit_level(), "equals to compare with",
                          fmt::format("{}: fewer than {} equals, or on fewer hosts", block, least_equals));
    if (has_limits_) return excuse(row, "limits judge each of its points");
    row.meaning = "with so few, which of them is slow is unknown";
    row.action = Action::none;
  }

  void add_small_level(const FleetIssue& level) {
    VerdictRow& row = add(Verdict::not_run, "", level.unit, "places to compare with each other",
                          fmt::format("{}: fewer than {}", level.text(), least_equals));
    excuse(row);
  }

  static void excuse(VerdictRow& row, const char* meaning = "") {
    row.verdict = Verdict::not_run;
    row.excused = true;
    row.meaning = meaning;
    row.action = std::nullopt;
  }

  /// All that has no row of its own.
  void add_look(const FleetLook& look) {
    const bool passed = look.undecided == 0 && look.passed > 0;
    VerdictRow& row =
        add(passed ? Verdict::pass : Verdict::inconclusive, "", look.level, look.metric, look_text(look));
    row.n = look.runs;
    row.smallest_defect = look.seen;
    row.evidence = {spread_text(look)};
    if (passed) return;
    row.meaning = "not shown to be slow is not shown to be sound";
    if (!look.open.empty())
      row.evidence.push_back(
          fmt::format("open: {}{}", fmt::join(look.open, ", "),
                      look.undecided > static_cast<std::int64_t>(look.open.size()) ? " ..." : ""));
  }

  std::string look_text(const FleetLook& look) const {
    std::string text =
        fmt::format("{} of {} are shown to be less than {} slower than their equals in {}", look.passed,
                    look.places, percent_text(look.limit), core::counted(look.runs, "run"));
    if (look.beyond_margin > 0 || look.limit > rules_.margin)
      text += fmt::format("; by the margin of {}, {} of them are within and {} beyond{}",
                          percent_text(rules_.margin), look.within_margin, look.beyond_margin,
                          look.beyond_margin > 0 ? ", by " + percent_text(look.slowest) + " at most" : "");
    if (look.undecided > 0)
      text += fmt::format("; {} not yet: {}", look.undecided, more_runs_text(look.more_runs));
    return text;
  }

  const std::string& unit_level() const { return measured_.first.unit_level; }

  const MeasuredFleet& measured_;
  const FleetRules& rules_;
  const FleetJudgement& judged_;
  const std::vector<FleetFinding>& slow_under_load_;
  bool has_limits_;
  std::vector<VerdictRow> rows_;
};

}  // namespace

Verdict FleetAcceptance::verdict() const { return worst_of(Rows(*this).take()); }

Verdicts verdicts_of(const FleetAcceptance& acceptance) {
  const Table table = to_table(acceptance);
  Verdicts verdicts{.command = "accept",
                    .subject = table.title,
                    .expected_false_flags = acceptance.rules.family_error,
                    .notes = table.notes,
                    .rows = Rows(acceptance).take()};
  name_origin(verdicts, acceptance.measured.origin);
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results
