// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Entries that a logbook of assay check still holds: failures of a passing moment that no one has cleared
// since.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/judge/judges.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results {
namespace {

constexpr int logbook_schema = 1;  // as harness/front/health/logbook_file.cpp writes it

std::string logbook_text(const nlohmann::json& from, const char* key) {
  return from.at(key).get<std::string>();
}

VerdictRow logbook_row(const nlohmann::json& latched) {
  const nlohmann::json& finding = latched.at("finding");
  const std::string status = logbook_text(finding, "status");
  VerdictRow row = row_of_check(logbook_text(finding, "unit"), logbook_text(finding, "check"));
  row.verdict = status == "failed" ? Verdict::fail : Verdict::inconclusive;
  row.because = fmt::format("{}, stands since {}: {}", status, logbook_text(latched, "since"),
                            logbook_text(finding, "evidence"));
  row.meaning = logbook_text(finding, "meaning");
  row.action = action_named(logbook_text(finding, "action"));
  return row;
}

std::string cleared_note(const nlohmann::json& latched, const std::string& where) {
  if (logbook_text(latched, "reason").empty())
    throw std::runtime_error("a finding was cleared without a reason");
  const nlohmann::json& finding = latched.at("finding");
  return fmt::format("{}: {} {} of {} was cleared {}: {}", where, logbook_text(finding, "check"),
                     logbook_text(finding, "unit"), logbook_text(latched, "since"),
                     logbook_text(latched, "cleared"), logbook_text(latched, "reason"));
}

/// A row for each failure that stands, FAIL, and for each look that could not be made, INCONCLUSIVE; no row
/// where nothing stands. Notes say how many stand, and of each that was cleared when and why.
Verdicts standing_failures(const std::string& logbook, const std::string& where) {
  Verdicts verdicts{.command = "check", .subject = where};
  require_unique_keys(logbook);
  const auto from = core::json_from<nlohmann::json>(logbook);
  if (from.at("schema") != logbook_schema)
    throw std::runtime_error(
        fmt::format("schema {}, this program reads {}", core::json_text(from.at("schema")), logbook_schema));
  if (!from.at("latched").is_array()) throw std::runtime_error("'latched' is not a list");
  for (const auto& latched : from.at("latched")) {
    if (logbook_text(latched, "cleared").empty())
      verdicts.rows.push_back(logbook_row(latched));
    else
      verdicts.notes.push_back(cleared_note(latched, where));
  }
  verdicts.notes.insert(
      verdicts.notes.begin(),
      fmt::format("{}: {} failures stand; its counters are kept, not judged", where, verdicts.rows.size()));
  settle(verdicts);
  return verdicts;
}

/// One in which nothing stands does not show that all is well.
Judged judge_logbook(const EvidenceFile& file) try {
  Verdicts verdicts =
      standing_failures(file.content ? *file.content : core::read_whole_file(file.name), file.name);
  Table table = to_table(verdicts);
  const bool nothing_stands = verdicts.rows.empty();
  return {std::move(verdicts), std::move(table), nothing_stands};
} catch (const std::exception& error) {
  return open_judgement(file.name, fmt::format("{}: no logbook of assay check: {}", file.name, error.what()));
}

std::vector<Judged> judge_logbooks(const Evidence& evidence) {
  std::vector<Judged> all;
  for (const EvidenceFile& file : evidence.files_of("logbooks")) all.push_back(judge_logbook(file));
  return all;
}

}  // namespace

Judge logbooks_judge() {
  return {"logbooks",
          {{.kind = JudgeInput::Kind::data_files,
            .name = "logbooks",
            .flag = "--check-logbook",
            .about = "logbooks of assay check: failures that stand count",
            .called = "the logbooks"}},
          judge_logbooks};
}

}  // namespace assay::results
