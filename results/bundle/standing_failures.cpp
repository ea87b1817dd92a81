// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/standing_failures.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

constexpr int logbook_schema = 1;  // as harness/front/health/logbook_file.cpp writes it

std::string text(const nlohmann::json& from, const char* key) { return from.at(key).get<std::string>(); }

VerdictRow row_of(const nlohmann::json& latched) {
  const nlohmann::json& finding = latched.at("finding");
  const std::string status = text(finding, "status");
  VerdictRow row = row_of_check(text(finding, "unit"), text(finding, "check"));
  row.verdict = status == "failed" ? Verdict::fail : Verdict::inconclusive;
  row.because =
      fmt::format("{}, stands since {}: {}", status, text(latched, "since"), text(finding, "evidence"));
  row.meaning = text(finding, "meaning");
  row.action = text(finding, "action");
  return row;
}

std::string cleared_note(const nlohmann::json& latched, const std::string& where) {
  if (text(latched, "reason").empty()) throw std::runtime_error("a finding was cleared without a reason");
  const nlohmann::json& finding = latched.at("finding");
  return fmt::format("{}: {} {} of {} was cleared {}: {}", where, text(finding, "check"),
                     text(finding, "unit"), text(latched, "since"), text(latched, "cleared"),
                     text(latched, "reason"));
}

}  // namespace

Verdicts standing_failures(const std::string& logbook, const std::string& where) {
  Verdicts verdicts{.command = "check", .subject = where};
  try {
    require_unique_keys(logbook);
    const auto from = nlohmann::json::parse(logbook);
    if (from.at("schema") != logbook_schema)
      throw std::runtime_error(
          fmt::format("schema {}, this program reads {}", from.at("schema").dump(), logbook_schema));
    if (!from.at("latched").is_array()) throw std::runtime_error("'latched' is no list");
    for (const auto& latched : from.at("latched")) {
      if (text(latched, "cleared").empty())
        verdicts.rows.push_back(row_of(latched));
      else
        verdicts.notes.push_back(cleared_note(latched, where));
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: no logbook of assay check: {}", where, error.what()));
  }
  verdicts.notes.insert(
      verdicts.notes.begin(),
      fmt::format("{}: {} failures stand; its counters are kept, not judged", where, verdicts.rows.size()));
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results
