// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/collected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/core/error.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using results::Verdict;
using results::VerdictRow;

void add_journals(const fs::path& folder, std::vector<fs::path>& journals) {
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".jsonl" && path.filename() != "timeline.jsonl" && entry.is_regular_file())
      journals.push_back(path);
  }
}

std::string unit_on(const std::string& node, const std::string& unit) {
  return unit.empty() || unit == "host" ? node : fmt::format("{}/{}", node, unit);
}

/// The verdict file of a step, with one row for each unit that passed.
std::vector<VerdictRow> rows_of_file(const std::string& node, const std::string& step, const fs::path& file) {
  const results::Verdicts verdicts = results::read_verdicts(file.string());
  std::vector<VerdictRow> rows;
  std::map<std::string, std::pair<std::string, std::int64_t>> passed;  // kind and rows, by unit
  std::set<std::string> open;
  for (VerdictRow row : verdicts.rows) {
    if (row.excused) continue;
    row.unit = unit_on(node, row.unit);
    if (row.verdict == Verdict::pass) {
      auto& [kind, n] = passed[row.unit];
      kind = row.kind;
      ++n;
      continue;
    }
    open.insert(row.unit);
    rows.push_back(std::move(row));
  }
  for (const auto& [unit, sum] : passed)
    if (!open.contains(unit))
      rows.push_back({.unit = unit,
                      .kind = sum.first,
                      .metric = step,
                      .verdict = Verdict::pass,
                      .n = sum.second,
                      .because = fmt::format("{} of {} pass", sum.second, sum.second)});
  return rows;
}

VerdictRow lacking_row(const std::string& node, const std::string& step, const std::string& why) {
  return {.unit = node,
          .kind = "host",
          .metric = step,
          .verdict = Verdict::not_run,
          .because = why,
          .meaning = "what was not looked at cannot be judged",
          .action = results::Action::retest};
}

}  // namespace

std::vector<fs::path> journals_in(const fs::path& campaign_folder) {
  std::vector<fs::path> journals;
  add_journals(campaign_folder / "nodes", journals);
  add_journals(campaign_folder / "fabric", journals);
  std::ranges::sort(journals);
  return journals;
}

std::vector<VerdictRow> node_verdicts(const Roster& roster, const fs::path& nodes_folder) {
  std::vector<VerdictRow> rows;
  for (const auto& [node, record] : roster.nodes())
    for (const auto& [stage_run, outcome] : record.outcomes)
      for (const StepEnd& step : outcome.steps) {
        if (step.step == "run") continue;
        const fs::path file = nodes_folder / node / fmt::format("{}.{}.json", stage_run, step.step);
        try {
          std::ranges::move(rows_of_file(node, step.step, file), std::back_inserter(rows));
        } catch (const std::exception& error) {
          rows.push_back(lacking_row(node, step.step, error.what()));
        }
      }
  return rows;
}

}  // namespace assay::campaign
