// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "results/bundle/judgement.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

using Name = std::tuple<std::string, std::string, std::string>;  // unit, kind, metric

struct Said {
  std::string verdict = "-", because;
};

using Rows = std::map<Name, Said>;

/// Of several rows of one name the worst, which comes first.
Rows rows_of(const Verdicts& verdicts) {
  Rows rows;
  rows[{"all", "bundle", "verdict"}] = {std::string(to_string(verdicts.verdict)), verdicts.subject};
  for (const VerdictRow& row : verdicts.rows)
    rows.try_emplace({row.unit, row.kind, row.metric}, Said{std::string(word_of(row)), row.because});
  return rows;
}

Said at(const Rows& rows, const Name& name) {
  const auto found = rows.find(name);
  return found == rows.end() ? Said{} : found->second;
}

/// Of one input; none where none were given.
std::vector<Member> files_of(const BundledEvidence& evidence, std::string_view input) {
  const auto found = evidence.files.find(input);
  return found == evidence.files.end() ? std::vector<Member>() : found->second;
}

std::vector<JudgeInput> inputs_of(JudgeInput::Kind kind) {
  std::vector<JudgeInput> inputs;
  for (const Judge& judge : judges())
    for (const JudgeInput& input : judge.inputs)
      if (input.kind == kind) inputs.push_back(input);
  return inputs;
}

/// The data of one, judged by what the other is judged by.
BundledEvidence with_limits_of(BundledEvidence data, const BundledEvidence& limits) {
  data.order = limits.order;
  for (const JudgeInput& input : inputs_of(JudgeInput::Kind::limit_files))
    data.files[std::string(input.name)] = files_of(limits, input.name);
  return data;
}

std::vector<std::string> differences_of(const BundledEvidence& a, const BundledEvidence& b) {
  std::vector<std::string> differences;
  if (a.records != b.records) differences.emplace_back("data: the records");
  for (const auto& [kind, what] :
       {std::pair(JudgeInput::Kind::data_files, "data"), std::pair(JudgeInput::Kind::limit_files, "limit")})
    for (const JudgeInput& input : inputs_of(kind))
      if (files_of(a, input.name) != files_of(b, input.name))
        differences.push_back(fmt::format("{}: {}", what, input.called));
  if (a.order != b.order) differences.emplace_back("limit: margins, filter or what is compared");
  if (a.assay_version != b.assay_version || a.source_revision != b.source_revision)
    differences.push_back(fmt::format("code: {} ({}) and {} ({})", a.assay_version, a.source_revision,
                                      b.assay_version, b.source_revision));
  return differences;
}

/// By the present program: either bundle, and the data of each under the limits of the other.
struct Replayed {
  Rows a, b, data_of_b, limits_of_b;
};

Replayed replay(const BundledEvidence& a, const BundledEvidence& b, const Models& models) {
  const auto rows = [&](const BundledEvidence& evidence) {
    return rows_of(judge(evidence, models).verdicts);
  };
  return {rows(a), rows(b), rows(with_limits_of(b, a)), rows(with_limits_of(a, b))};
}

std::string cause_of(const Name& name, const Said& in_a, const Said& in_b, const Replayed& again) {
  const std::string a = at(again.a, name).verdict, b = at(again.b, name).verdict;
  std::vector<std::string> causes;
  if (at(again.data_of_b, name).verdict != a) causes.emplace_back("data");
  if (at(again.limits_of_b, name).verdict != a) causes.emplace_back("limit");
  if (causes.empty() && a != b) causes = {"data", "limit"};  // neither alone
  if (a == b) causes.clear();
  if (a != in_a.verdict || b != in_b.verdict) causes.emplace_back("code");
  return fmt::format("{}", fmt::join(causes, " and "));
}

}  // namespace

BundleDiff diff_bundles(const BundledEvidence& a, const BundledEvidence& b, const Models& models) {
  const Verdicts verdicts_a = verdicts_from_json(a.verdicts.text(), "verdicts.json of A");
  const Verdicts verdicts_b = verdicts_from_json(b.verdicts.text(), "verdicts.json of B");
  const Rows said_a = rows_of(verdicts_a), said_b = rows_of(verdicts_b);
  const Replayed again = replay(a, b, models);
  BundleDiff diff{std::string(to_string(verdicts_a.verdict)),
                  std::string(to_string(verdicts_b.verdict)),
                  differences_of(a, b),
                  {}};
  std::set<Name> names;
  for (const Rows* rows : {&said_a, &said_b})
    for (const auto& [name, said] : *rows) names.insert(name);
  for (const Name& name : names) {
    const Said in_a = at(said_a, name), in_b = at(said_b, name);
    if (in_a.verdict == in_b.verdict) continue;
    const auto& [unit, kind, metric] = name;
    diff.changes.push_back({unit, metric, in_a.verdict, in_b.verdict, in_a.because, in_b.because,
                            cause_of(name, in_a, in_b, again)});
  }
  return diff;
}

Table to_table(const BundleDiff& diff) {
  using Kind = Column::Kind;
  Table table{.title = fmt::format("B against A: {} was {}", diff.verdict_b, diff.verdict_a)};
  table.columns = {{.name = "changed by", .kind = Kind::word},
                   {.name = "unit", .kind = Kind::word},
                   {.name = "metric"},
                   {.name = "A", .kind = Kind::word},
                   {.name = "B", .kind = Kind::word},
                   {.name = "because, in A"},
                   {.name = "because, in B"}};
  for (const VerdictChange& change : diff.changes)
    table.rows.push_back({change.cause, change.unit.empty() ? "all" : change.unit, change.metric, change.in_a,
                          change.in_b, change.because_a, change.because_b});
  table.notes.push_back(fmt::format("{} verdicts changed", diff.changes.size()));
  for (const std::string& difference : diff.differences) table.notes.push_back("differs: " + difference);
  if (diff.differences.empty()) table.notes.emplace_back("data, limits and code are the same");
  return table;
}

}  // namespace assay::results
