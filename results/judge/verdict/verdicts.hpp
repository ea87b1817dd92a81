// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verdicts of any judge: accept, compare, check and burn-in alike, for the formats, the report and the
// bundle. The whole is never better than its worst part, and missing evidence is never a pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "results/judge/verdict/verdict_rows.hpp"
#include "results/table/long_table.hpp"

namespace assay::results {

inline constexpr std::string_view verdicts_schema = "assay-verdicts";
inline constexpr int verdicts_schema_version = 1;

/// A run that was judged, and what it held then: see judged_runs() in judges.hpp.
struct JudgedRun {
  std::string run_id;
  std::string digest = {};  // 16 hex digits; empty where the records were not in a store

  bool operator==(const JudgedRun&) const = default;
};

struct Verdicts {
  std::string command = {};  // accept, compare, check, burn-in
  std::string subject = {};  // what was judged, for people: "2 against 1, margin 3 %"
  Verdict verdict = Verdict::not_run;
  std::optional<double> expected_false_flags = {};  // in a sound subject of this size
  std::vector<std::string> notes = {};
  VerdictRows rows = {};
  std::vector<JudgedRun> runs = {};  // none: no run of a store was judged
};

/// The worst of those that are not excused; not_run where there are none.
Verdict worst_of(const VerdictRows& rows);
/// As worst_of(), for rows that come one by one.
class WorstVerdict {
 public:
  void add(const VerdictMark& mark) {
    if (!mark.excused) worst_ = std::max(worst_.value_or(mark.verdict), mark.verdict);
  }
  Verdict verdict() const { return worst_.value_or(Verdict::not_run); }

 private:
  std::optional<Verdict> worst_;
};
/// Place of its verdict in the order of gravity; -1 where the row is excused.
int gravity_of(const VerdictRow& row);
/// "excused", else the word of its verdict.
std::string_view word_of(const VerdictRow& row);
/// Takes the value and compares it with the row's limit: PASS where its whole interval is within, FAIL where
/// all of it is beyond, else INCONCLUSIVE; also the least change for the worse that would have failed, and
/// the action.
void hold_against_limit(VerdictRow& row, const Number& value);
/// A row of what a check of assay check found, named: its kind is "gpu" of gpu.row_remap; a check of the
/// whole host has no unit, and is of the host.
VerdictRow row_of_check(const std::string& unit, const std::string& check);
/// Sorts the rows, the worst first and else as they are, and sets the verdict to the worst of them.
void settle(Verdicts& verdicts);
/// Subjects, notes, rows and runs of `more`, which is settled, are joined; the verdict is that of all. Where
/// `more` judged nothing, or is worse than its rows, one row more says so: the whole never passes then.
void append(Verdicts& verdicts, Verdicts more);

/// Sets the origin of rows that have none.
void name_origin(Verdicts& verdicts, const std::string& origin);
/// The origins of all rows: "measured", "imported and measured"; "" where none says.
std::string origin_of(const Verdicts& verdicts);
/// "measured and simulated"
std::string origin_words(const std::set<std::string>& origins);
/// The mark of a row by the origins of its value: ", simulated" where any was not measured, else "".
std::string origin_mark(const std::set<std::string>& origins);
/// "at least 48 GB/s", "0 to 5 us", "" without a limit.
std::string limit_text(const VerdictRow& row);

/// Lines for people: the reason and the evidence, the limit with its source, the meaning and the action.
std::string explanation_of(const VerdictRow& row);
/// "FAIL: 1 of 4 were not judged": rows that count and are neither fit nor FAIL, or that nothing was judged.
/// "" where the evidence is complete.
std::string why_incomplete(const Verdicts& verdicts);

/// One row of the table for each of the verdicts'.
Table to_table(const Verdicts& verdicts);
enum class TableOf { all, what_does_not_pass };
/// As to_table(), or only the rows that do not pass, without holding them.
LongTable long_table_of(const Verdicts& verdicts, TableOf which);
/// Byte-identical for equal verdicts; ends with a newline. A number that is not finite becomes null.
void write_json(const Verdicts& verdicts, const core::ByteSink& sink);
std::string to_json(const Verdicts& verdicts);
/// `where` names the text in messages: a file. Throws std::runtime_error with one line for what is not JSON,
/// another schema or version, a key of the wrong kind, and a whole that is better than its worst row.
Verdicts verdicts_from_json(const std::string& text, const std::string& where);
using VerdictRowSink = std::function<void(const VerdictRow& row)>;
/// As verdicts_from_json(), for more rows than memory holds: each goes to the sink as it is read, and what is
/// returned has none. Rows that were taken count only where this returns.
Verdicts read_verdict_rows(const core::ByteSource& json, const std::string& where,
                           const VerdictRowSink& take);
/// One test case for each row, in a test suite for each unit: <failure> for FAIL, <skipped> for NOT_RUN and
/// INCONCLUSIVE. Where any counts as skipped a test case "evidence is complete" fails, for readers that take
/// a skipped test for a good one.
void write_junit(const Verdicts& verdicts, const core::ByteSink& sink);
std::string to_junit(const Verdicts& verdicts);
/// One line for a log or a reason, with its line feed: the verdict, its first row, and how many more there
/// are.
std::string to_line(const Verdicts& verdicts);
/// Text exposition format 0.0.4; what is drawn from a value that is there only.
void write_prometheus(const Verdicts& verdicts, const core::ByteSink& sink);
std::string to_prometheus(const Verdicts& verdicts);

/// Written whole or not at all; throws a usage Error where that cannot be done.
void write_verdicts(const std::string& file, const Verdicts& verdicts);
/// Throws a usage Error naming the file.
Verdicts read_verdicts(const std::string& file);

}  // namespace assay::results
