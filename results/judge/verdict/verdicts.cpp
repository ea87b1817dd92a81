// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <utility>

namespace assay::results {
namespace {

std::string rows_text(const VerdictRows& rows) {
  std::map<std::string_view, std::size_t> counts;
  for (std::size_t at = 0; at < rows.size(); ++at) ++counts[word_of(rows.mark(at))];
  std::string text;
  const auto add = [&](std::string_view word) {
    if (counts[word] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[word], word);
  };
  for (const Verdict verdict : every_verdict | std::views::reverse) add(to_string(verdict));
  add("excused");
  return text.empty() ? "nothing was judged" : text;
}

bool judged_nothing(const VerdictRows& rows) {
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (!rows.mark(at).excused) return false;
  return true;
}

/// A judge may know of more than its rows say, and one that judged nothing must not vanish where another one
/// passed.
void report_what_rows_lack(Verdicts& part) {
  const bool nothing = judged_nothing(part.rows);
  if (!nothing && part.verdict <= worst_of(part.rows)) return;
  part.rows.push_back({.kind = "judge",
                       .metric = part.subject.empty() ? part.command : part.subject,
                       .verdict = std::max(part.verdict, Verdict::not_run),
                       .because = nothing ? "nothing was judged" : "more is wrong than the rows say",
                       .action = Action::retest});
}

std::vector<Column> verdict_columns() {
  using Kind = Column::Kind;
  return {{.name = "verdict", .kind = Kind::word},
          {.name = "unit", .kind = Kind::word},
          {.name = "kind", .folds = true, .may_lack = true},
          {.name = "metric"},
          {.name = "value", .kind = Kind::number, .may_lack = true},
          {.name = "value unit", .kind = Kind::word, .may_lack = true},
          {.name = "limit", .may_lack = true},
          {.name = "n", .kind = Kind::count, .may_lack = true},
          {.name = "smallest defect", .unit = "%", .kind = Kind::number, .may_lack = true},
          {.name = "because"},
          {.name = "evidence", .may_lack = true},
          {.name = "limit source", .may_lack = true},
          {.name = "meaning", .may_lack = true},
          {.name = "action", .may_lack = true},
          {.name = std::string(origin_column), .kind = Kind::word, .folds = true, .may_lack = true}};
}

Table head_of(const Verdicts& verdicts) {
  Table head{.title = fmt::format("assay {}: {}", verdicts.command, verdicts.subject),
             .notes = {fmt::format("{}: {}", to_string(verdicts.verdict), rows_text(verdicts.rows))},
             .columns = verdict_columns()};
  head.notes.insert(head.notes.end(), verdicts.notes.begin(), verdicts.notes.end());
  return head;
}

Cell unless_empty(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }

std::vector<Cell> cells_of_row(const VerdictRow& row) {
  return {std::string(word_of(row)),
          row.unit.empty() ? std::string("all") : row.unit,
          unless_empty(row.kind),
          row.metric,
          row.value ? Cell(*row.value) : Cell(),
          unless_empty(row.value_unit),
          unless_empty(limit_text(row)),
          row.n > 0 ? Cell(row.n) : Cell(),
          row.smallest_defect ? Cell(Number{*row.smallest_defect * 100}) : Cell(),
          row.because,
          unless_empty(fmt::format("{}", fmt::join(row.evidence, "; "))),
          unless_empty(row.limit_source),
          unless_empty(row.meaning),
          unless_empty(std::string(to_string(row.action))),
          unless_empty(row.origin)};
}

void add_line(std::string& text, std::string_view what, std::string_view line) {
  if (!line.empty()) text += fmt::format("{}{}\n", what, line);
}

}  // namespace

Verdict worst_of(const VerdictRows& rows) {
  WorstVerdict worst;
  for (std::size_t at = 0; at < rows.size(); ++at) worst.add(rows.mark(at));
  return worst.verdict();
}

int gravity_of(const VerdictRow& row) { return gravity_of(VerdictMark{row.verdict, row.excused}); }

std::string_view word_of(const VerdictRow& row) { return word_of(VerdictMark{row.verdict, row.excused}); }

VerdictRow row_of_check(const std::string& unit, const std::string& check) {
  if (unit.empty()) return {.unit = "host", .kind = "host", .metric = check};
  return {.unit = unit, .kind = check.substr(0, check.find('.')), .metric = check};
}

void settle(Verdicts& verdicts) {
  verdicts.rows.sort_by_gravity();
  verdicts.verdict = worst_of(verdicts.rows);
}

void append(Verdicts& verdicts, Verdicts more) {
  report_what_rows_lack(more);
  if (!more.subject.empty()) verdicts.subject += (verdicts.subject.empty() ? "" : "; ") + more.subject;
  verdicts.rows.append(more.rows);
  std::ranges::move(more.notes, std::back_inserter(verdicts.notes));
  for (JudgedRun& run : more.runs)
    if (std::ranges::find(verdicts.runs, run) == verdicts.runs.end()) verdicts.runs.push_back(std::move(run));
  if (more.expected_false_flags)
    verdicts.expected_false_flags = verdicts.expected_false_flags.value_or(0) + *more.expected_false_flags;
  settle(verdicts);
}

void hold_against_limit(VerdictRow& row, const Number& value) {
  const auto [lowest, highest] = row.limit.value_or(VerdictLimit{});
  const double lower = value.lower.value_or(value.value), upper = value.upper.value_or(value.value);
  const bool limited = lowest || highest;
  const bool within = limited && (!lowest || lower >= *lowest) && (!highest || upper <= *highest);
  const bool beyond = (lowest && upper < *lowest) || (highest && lower > *highest);
  row.value = value;
  row.verdict = within ? Verdict::pass : beyond ? Verdict::fail : Verdict::inconclusive;
  if (limited) row.smallest_defect = std::max(0.0, lowest ? 1 - *lowest / upper : *highest / lower - 1);
  row.action = action_of(row.verdict);
}

void name_origin(Verdicts& verdicts, const std::string& origin) { verdicts.rows.name_origin(origin); }

std::string origin_words(const std::set<std::string>& origins) {
  return fmt::format("{}", fmt::join(origins, " and "));
}

std::string origin_of(const Verdicts& verdicts) { return origin_words(verdicts.rows.origins()); }

std::string origin_mark(const std::set<std::string>& origins) {
  const std::string words = origin_words(origins);
  return words.empty() || words == "measured" ? "" : ", " + words;
}

std::string limit_text(const VerdictRow& row) {
  if (!row.limit || (!row.limit->lowest && !row.limit->highest)) return "";
  const VerdictLimit& limit = *row.limit;
  std::string text;
  if (limit.lowest && limit.highest)
    text = fmt::format("{:g} to {:g}", *limit.lowest, *limit.highest);
  else
    text = limit.lowest ? fmt::format("at least {:g}", *limit.lowest)
                        : fmt::format("at most {:g}", limit.highest.value_or(0));
  return row.value_unit.empty() ? text : text + " " + row.value_unit;
}

std::string explanation_of(const VerdictRow& row) {
  std::string text;
  add_line(text, "", row.because);
  for (const std::string& line : row.evidence) add_line(text, "", line);
  const std::string limit = limit_text(row);
  add_line(text, "limit: ",
           row.limit_source.empty() ? limit : limit + (limit.empty() ? "" : ", ") + row.limit_source);
  add_line(text, "meaning: ", row.meaning);
  add_line(text, "action: ", row.action == Action::none ? "" : to_string(row.action));
  return text;
}

std::string why_incomplete(const Verdicts& verdicts) {
  std::size_t open = 0;
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) {
    const VerdictMark mark = verdicts.rows.mark(at);
    if (!mark.excused && (mark.verdict == Verdict::not_run || mark.verdict == Verdict::inconclusive)) ++open;
  }
  if (open == 0 && verdicts.verdict != Verdict::not_run) return "";
  return fmt::format("{}: {} of {} were not judged", to_string(verdicts.verdict), open, verdicts.rows.size());
}

LongTable long_table_of(const Verdicts& verdicts, TableOf which) {
  return {head_of(verdicts), [rows = verdicts.rows, which](const RowSink& take) {
            for (std::size_t at = 0; at < rows.size(); ++at)
              if (which == TableOf::all || word_of(rows.mark(at)) != to_string(Verdict::pass))
                take(cells_of_row(rows[at]));
          }};
}

Table to_table(const Verdicts& verdicts) { return whole_table(long_table_of(verdicts, TableOf::all)); }

}  // namespace assay::results
