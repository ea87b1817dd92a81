// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "results/bundle/judgement.hpp"
#include "results/bundle/said_verdicts.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

constexpr const char *where_a = "verdicts.json of A", *where_b = "verdicts.json of B";

/// The files of one input; none where none were given.
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

/// Whether judge() gets the same input.
bool is_judged_alike(const BundledEvidence& a, const BundledEvidence& b) {
  const auto has_same_files = [&](JudgeInput::Kind kind) {
    return std::ranges::all_of(inputs_of(kind), [&](const JudgeInput& input) {
      return files_of(a, input.name) == files_of(b, input.name);
    });
  };
  return a.order == b.order && a.records == b.records && a.damage == b.damage &&
         has_same_files(JudgeInput::Kind::limit_files) && has_same_files(JudgeInput::Kind::data_files);
}

/// The whole is a row, too.
RowNames::Name name_of_whole(RowNames& names) { return names.name_of("all", "bundle", "verdict"); }

/// The verdicts that a bundle holds, row by row, and that of the whole.
struct Claims {
  std::vector<std::pair<RowNames::Name, VerdictMark>> rows;
  Verdict whole = Verdict::not_run;
};

Claims claims_in(const core::LongText& verdicts, const std::string& where, RowNames& names) {
  Claims claims;
  const auto add = [&](const VerdictRow& row) {
    claims.rows.emplace_back(names.name_of(row.unit, row.kind, row.metric),
                             VerdictMark{row.verdict, row.excused});
  };
  claims.whole = read_verdict_rows(verdicts.source(), where, add).verdict;
  return claims;
}

SaidVerdicts said_in(const Claims& claims, RowNames& names) {
  SaidVerdicts said(names);
  for (const auto& [name, mark] : claims.rows) said.add(names.find(name), mark);
  said.set(names.find(name_of_whole(names)), {claims.whole});
  return said;
}

SaidVerdicts said_by(const Verdicts& verdicts, RowNames& names) {
  SaidVerdicts said(names);
  const VerdictRows& rows = verdicts.rows;
  for (std::size_t at = 0; at < rows.size(); ++at)
    said.add(names.find(names.name_of(rows.unit(at), rows.kind(at), rows.metric(at))), rows.mark(at));
  said.set(names.find(name_of_whole(names)), {verdicts.verdict});
  return said;
}

/// Verdicts from when the bundles were made.
struct Before {
  Verdict whole_a, whole_b;
  SaidVerdicts a, b;
};

/// Names are from now on those of the rows of either bundle.
Before read_claims(const BundledEvidence& a, const BundledEvidence& b, RowNames& names) {
  const Claims in_a = claims_in(a.verdicts, where_a, names), in_b = claims_in(b.verdicts, where_b, names);
  std::vector<RowNames::Name> all{name_of_whole(names)};
  all.reserve(1 + in_a.rows.size() + in_b.rows.size());
  for (const Claims* claims : {&in_a, &in_b})
    for (const auto& [name, mark] : claims->rows) all.push_back(name);
  names.keep(std::move(all));
  return {in_a.whole, in_b.whole, said_in(in_a, names), said_in(in_b, names)};
}

/// Verdicts by the present program: of either bundle, and of the data of each under the limits of the other.
struct Replayed {
  SaidVerdicts a, b, data_of_b, limits_of_b;
};

/// Judges like evidence only once: judge() depends on nothing else. One judgement is held at a time.
Replayed replay(const BundledEvidence& a, const BundledEvidence& b, const Models& models, RowNames& names) {
  const std::array all{a, b, with_limits_of(b, a), with_limits_of(a, b)};
  std::vector<SaidVerdicts> said;
  for (const BundledEvidence& one : all) {
    const auto same =
        std::ranges::find_if(all, [&](const BundledEvidence& other) { return is_judged_alike(other, one); });
    const auto at = static_cast<std::size_t>(same - all.begin());
    said.push_back(at < said.size() ? said[at] : said_by(judged_verdicts(one, models), names));
  }
  return {said[0], said[1], said[2], said[3]};
}

std::string cause_of(std::size_t name, const Before& before, const Replayed& again) {
  std::vector<std::string> causes;
  if (!again.data_of_b.same_as(again.a, name)) causes.emplace_back("data");
  if (!again.limits_of_b.same_as(again.a, name)) causes.emplace_back("limit");
  const bool is_same = again.a.same_as(again.b, name);
  if (causes.empty() && !is_same) causes = {"data", "limit"};  // neither alone
  if (is_same) causes.clear();
  if (!again.a.same_as(before.a, name) || !again.b.same_as(before.b, name)) causes.emplace_back("code");
  return fmt::format("{}", fmt::join(causes, " and "));
}

/// Why the first row of each changed name says what it says; of the whole, what was judged.
void explain(const core::LongText& verdicts, const std::string& where,
             const std::vector<std::size_t>& changed, RowNames& names, std::string VerdictChange::* because,
             VerdictChanges& changes) {
  std::vector<bool> is_explained(changed.size());
  const auto place_of = [&](const RowNames::Name& name) {
    const std::size_t kept = names.find(name).value();
    const auto place = std::ranges::lower_bound(changed, kept);
    return place != changed.end() && *place == kept ? static_cast<std::size_t>(place - changed.begin())
                                                    : changed.size();
  };
  const Verdicts whole = read_verdict_rows(verdicts.source(), where, [&](const VerdictRow& row) {
    const std::size_t at = place_of(names.name_of(row.unit, row.kind, row.metric));
    if (at == changed.size() || is_explained[at]) return;
    is_explained[at] = true;
    changes.set(at, because, row.because);
  });
  if (const std::size_t at = place_of(name_of_whole(names)); at < changed.size())
    changes.set(at, because, whole.subject);
}

}  // namespace

BundleDiff diff_bundles(const BundledEvidence& a, const BundledEvidence& b, const Models& models) {
  RowNames names;
  const Before before = read_claims(a, b, names);
  const Replayed again = replay(a, b, models, names);
  BundleDiff diff{std::string(to_string(before.whole_a)), std::string(to_string(before.whole_b)),
                  differences_of(a, b)};
  std::vector<std::size_t> changed;
  for (std::size_t name = 0; name < names.size(); ++name)
    if (!before.a.same_as(before.b, name)) changed.push_back(name);
  if (changed.empty()) return diff;
  diff.changes.reserve(changed.size());
  for (const std::size_t name : changed)
    diff.changes.push_back({.unit = std::string(names.unit(name)),
                            .metric = std::string(names.metric(name)),
                            .in_a = before.a.word(name),
                            .in_b = before.b.word(name),
                            .because_a = {},
                            .because_b = {},
                            .cause = cause_of(name, before, again)});
  explain(a.verdicts, where_a, changed, names, &VerdictChange::because_a, diff.changes);
  explain(b.verdicts, where_b, changed, names, &VerdictChange::because_b, diff.changes);
  return diff;
}

LongTable to_table(const BundleDiff& diff) {
  using Kind = Column::Kind;
  Table table{.title = fmt::format("B against A: {} was {}", diff.verdict_b, diff.verdict_a)};
  table.columns = {{.name = "changed by", .kind = Kind::word},
                   {.name = "unit", .kind = Kind::word},
                   {.name = "metric"},
                   {.name = "A", .kind = Kind::word},
                   {.name = "B", .kind = Kind::word},
                   {.name = "because, in A"},
                   {.name = "because, in B"}};
  table.notes.push_back(fmt::format("{} verdicts changed", diff.changes.size()));
  for (const std::string& difference : diff.differences) table.notes.push_back("differs: " + difference);
  if (diff.differences.empty()) table.notes.emplace_back("data, limits and code are the same");
  return {std::move(table), [changes = diff.changes](const RowSink& take) {
            for (const VerdictChange& change : changes.each())
              take({change.cause, change.unit.empty() ? "all" : change.unit, change.metric, change.in_a,
                    change.in_b, change.because_a, change.because_b});
          }};
}

}  // namespace assay::results
