// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/collected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"

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

struct Passed {
  std::string kind;
  std::int64_t rows = 0;
};

/// "GPU 0 0000:10:00.0 NVLink 3" of "GPU 0 0000:10:00.0".
bool is_part_of(const std::string& unit, const std::string& whole) {
  return unit.size() > whole.size() && unit[whole.size()] == ' ' && unit.starts_with(whole);
}

/// One row for each unit that passed, which counts its parts' too: a node of eight GPUs has 144 NVLinks.
std::vector<VerdictRow> passed_rows(const std::string& step, const std::map<std::string, Passed>& units) {
  std::vector<VerdictRow> rows;
  for (const auto& [unit, passed] : units) {
    if (!rows.empty() && is_part_of(unit, rows.back().unit))
      rows.back().n += passed.rows;
    else
      rows.push_back(
          {.unit = unit, .kind = passed.kind, .metric = step, .verdict = Verdict::pass, .n = passed.rows});
  }
  for (VerdictRow& row : rows) row.because = fmt::format("{} of {} pass", row.n, row.n);
  return rows;
}

/// The verdict file of a step, with what passed in short.
std::vector<VerdictRow> rows_of_file(const std::string& node, const std::string& step, const fs::path& file) {
  const results::Verdicts verdicts = results::read_verdicts(file.string());
  std::vector<VerdictRow> rows;
  std::map<std::string, Passed> passed;  // by unit
  for (VerdictRow row : verdicts.rows) {
    if (row.excused) continue;
    row.unit = unit_on(node, row.unit);
    if (row.verdict != Verdict::pass) {
      rows.push_back(std::move(row));
      continue;
    }
    Passed& of = passed[row.unit];
    of.kind = row.kind;
    ++of.rows;
  }
  for (const VerdictRow& open : rows) passed.erase(open.unit);
  std::ranges::move(passed_rows(step, passed), std::back_inserter(rows));
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

/// Whether its points went well or not.
bool measured(const StepEnd& step) { return step.exit_code <= core::exit_code::fail; }

/// A journal of any of its runs, whose names hold the stage's.
bool has_records(const fs::path& node_folder, const std::string& stage_run) {
  std::vector<fs::path> journals;
  add_journals(node_folder, journals);
  return std::ranges::any_of(journals, [&](const fs::path& journal) {
    return journal.parent_path().filename().string().find("." + stage_run + ".") != std::string::npos;
  });
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
        if (step.step == "run") {
          if (measured(step) && !has_records(nodes_folder / node, stage_run))
            rows.push_back(lacking_row(node, stage_run, "its records are not there"));
          continue;
        }
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
