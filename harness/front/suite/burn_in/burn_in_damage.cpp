// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_damage.hpp"

#include <fmt/format.h>

#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

results::VerdictRow row_of(const std::filesystem::path& file, const std::vector<long>& lines,
                           const std::string& what) {
  results::VerdictRow row{.unit = "host", .kind = "host", .metric = file.filename().string()};
  row.verdict = results::Verdict::inconclusive;
  row.because = fmt::format("line {} is damaged{}", lines.front(), what);
  if (lines.size() > 1) row.because += fmt::format("; {} lines are", lines.size());
  for (const long line : lines) row.evidence.push_back(fmt::format("{}:{}", file.string(), line));
  row.meaning = "what it said is not known, and may have been a failure";
  row.action = results::Action::retest;
  return row;
}

}  // namespace

std::vector<results::VerdictRow> damage_rows(const std::filesystem::path& timeline_file,
                                             const results::Timeline& timeline,
                                             const std::vector<std::filesystem::path>& journals) {
  std::vector<results::VerdictRow> rows;
  if (!timeline.damaged.empty()) rows.push_back(row_of(timeline_file, timeline.damaged, ""));
  for (const std::filesystem::path& journal : journals) {
    std::vector<long> lines;
    std::string what;
    for (const results::JournalProblem& problem : results::for_each_record(journal, [](const auto&) {})) {
      if (problem.torn) continue;
      if (lines.empty()) what = ": " + problem.what;
      lines.push_back(problem.line);
    }
    if (!lines.empty()) rows.push_back(row_of(journal, lines, what));
  }
  return rows;
}

}  // namespace assay::suite
