// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "results/judge/acceptance.hpp"

namespace assay::results {
namespace {

class Rows {
 public:
  explicit Rows(const FleetAcceptance& acceptance) : acceptance_(acceptance) {}

  std::vector<VerdictRow> take() {
    for (const FailedPoint& point : acceptance_.failed) add_failed(point);
    for (const Confirmed& one : acceptance_.confirmed) add_confirmed(one);
    for (const Suspect& one : acceptance_.waiting) add_waiting(one);
    for (const std::string& missing : acceptance_.missing) add_missing(missing);
    for (const std::string& block : acceptance_.looked.small_blocks) add_small_block(block);
    for (const std::string& level : acceptance_.looked.too_few) add_small_level(level);
    for (const FirstLook& look : acceptance_.looked.looks) add_look(look);
    return std::move(rows_);
  }

 private:
  VerdictRow& add(Verdict verdict, const std::string& unit, const std::string& kind,
                  const std::string& metric, const std::string& because) {
    rows_.push_back({.unit = unit, .kind = kind, .metric = metric, .verdict = verdict, .because = because});
    return rows_.back();
  }

  void add_failed(const FailedPoint& point) {
    VerdictRow& row = add(Verdict::fail, point.unit, acceptance_.unit_level, point.metric, point.reason);
    row.n = 1;
    row.meaning = "what cannot be measured here cannot be relied on";
    row.action = "drain";
  }

  /// A suspect's loss, in percent of its equals, and the limit that it is held against.
  VerdictRow& add_suspect(Verdict verdict, const Suspect& one, const std::string& because) {
    VerdictRow& row = add(verdict, one.place, one.level, one.metric, because);
    row.value_unit = "% below its equals";
    row.limit = VerdictLimit{.highest = 100 * one.margin};
    row.limit_source = "margin of this command, against equal hardware in the same fleet";
    for (const FirstLook& look : acceptance_.looked.looks)
      if (look.level == one.level && look.metric == one.metric) row.smallest_defect = look.seen;
    row.evidence = {fmt::format("first look: {} below its equals, suspects from {}",
                                percent_text(-one.deviation), percent_text(-one.threshold))};
    return row;
  }

  void add_confirmed(const Confirmed& one) {
    VerdictRow& row = add_suspect(
        one.fault ? Verdict::fail : Verdict::pass, one.suspect,
        one.fault ? fmt::format("{} slower than its equals in {} fresh measurements, at least {}",
                                percent_text(-one.deviation), one.measurements, percent_text(one.at_least))
                  : fmt::format("suspect of the first look, cleared by {} fresh measurements: {} slower",
                                one.measurements, percent_text(-one.deviation)));
    row.value = Number{.value = -100 * one.deviation, .lower = 100 * one.at_least};
    row.n = one.measurements;
    row.meaning = one.fault ? "slower than equal hardware, lastingly" : "";
    row.action = one.fault ? "drain" : "none";
  }

  void add_waiting(const Suspect& one) {
    VerdictRow& row = add_suspect(Verdict::inconclusive, one,
                                  fmt::format("suspect: {} slower at the first look, not measured again",
                                              percent_text(-one.deviation)));
    row.value = Number{.value = -100 * one.deviation};
    row.n = 1;
    row.meaning = "a first look names suspects only: the value was chosen for being low";
    row.action = "retest";
  }

  void add_missing(const std::string& missing) {
    VerdictRow& row = add(Verdict::not_run, missing.substr(0, missing.find(':')), acceptance_.unit_level,
                          "points that its equals have", missing);
    row.meaning = "what was not measured is not accepted";
    row.action = "retest";
  }

  void add_small_block(const std::string& block) {
    VerdictRow& row = add(Verdict::inconclusive, "", acceptance_.unit_level, "equals to be held against",
                          fmt::format("{}: fewer than {} of a kind", block, least_equals));
    row.meaning = "so few cannot tell which of them is slow";
    row.action = "none";
  }

  void add_small_level(const std::string& level) {
    add(Verdict::not_run, "", level.substr(0, level.find(':')), "places to be held against each other",
        fmt::format("{}: fewer than {}", level, least_equals))
        .excused = true;
  }

  /// All that the metric did not send to a second look.
  void add_look(const FirstLook& look) {
    VerdictRow& row = add(
        Verdict::pass, "", look.level, look.metric,
        fmt::format("{} of {} are no suspects of the first look", look.places - look.suspects, look.places));
    row.n = look.places;
    row.smallest_defect = look.seen;
    row.action = "none";
  }

  const FleetAcceptance& acceptance_;
  std::vector<VerdictRow> rows_;
};

}  // namespace

Acceptance FleetAcceptance::verdict() const {
  const Verdict worst = worst_of(Rows(*this).take());
  if (worst == Verdict::fail) return Acceptance::refused;
  return worst == Verdict::pass ? Acceptance::accepted : Acceptance::undecided;
}

Verdicts verdicts_of(const FleetAcceptance& acceptance) {
  Verdicts verdicts{.command = "accept",
                    .subject = fmt::format("{} {}s, {} points each", acceptance.units, acceptance.unit_level,
                                           acceptance.metrics),
                    .expected_false_flags = acceptance.rules.family_error,
                    .notes = to_table(acceptance).notes,
                    .rows = Rows(acceptance).take()};
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results
