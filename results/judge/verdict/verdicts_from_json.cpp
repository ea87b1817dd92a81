// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/judge/verdict/streamed_list.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number_in(const Json& from, const char* key) {
  const Json& value = from.at(key);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number()) throw std::runtime_error(fmt::format("key '{}': expected a number or null", key));
  return value.get<double>();
}

std::string text_in(const Json& from, const char* key) {
  if (!from.at(key).is_string()) throw std::runtime_error(fmt::format("key '{}': expected text", key));
  return from.at(key).get<std::string>();
}

Verdict verdict_in(const Json& from) {
  const std::string word = text_in(from, "verdict");
  if (const auto verdict = verdict_named(word)) return *verdict;
  throw std::runtime_error(
      fmt::format("key 'verdict': expected PASS, DEGRADED, NOT_RUN, INCONCLUSIVE or FAIL, found '{}'", word));
}

std::optional<Action> action_in(const Json& from) {
  const std::string word = text_in(from, "action");
  const std::optional<Action> action = action_named(word);
  if (!action && !word.empty()) throw std::runtime_error(fmt::format("key 'action': '{}' is not one", word));
  return action;
}

VerdictRow row_from(const Json& from) {
  VerdictRow row{.unit = text_in(from, "unit"),
                 .kind = text_in(from, "kind"),
                 .metric = text_in(from, "metric"),
                 .verdict = verdict_in(from)};
  row.excused = from.at("excused").get<bool>();
  if (row.excused && row.verdict != Verdict::not_run)
    throw std::runtime_error("key 'excused': only what is NOT_RUN can be excused");
  if (const Json& value = from.at("value"); !value.is_null())
    row.value =
        Number{number_in(value, "value").value_or(NAN), number_in(value, "lower"), number_in(value, "upper")};
  row.value_unit = text_in(from, "value_unit");
  if (const Json& limit = from.at("limit"); !limit.is_null())
    row.limit = VerdictLimit{number_in(limit, "lowest"), number_in(limit, "highest")};
  row.limit_source = text_in(from, "limit_source");
  row.n = from.at("n").get<std::int64_t>();
  row.smallest_defect = number_in(from, "smallest_defect");
  row.because = text_in(from, "because");
  row.evidence = from.at("evidence").get<std::vector<std::string>>();
  row.meaning = text_in(from, "meaning");
  row.action = action_in(from);
  if (from.contains("origin")) row.origin = text_in(from, "origin");  // not of an earlier program
  return row;
}

/// Verdicts of an earlier program name no runs.
std::vector<JudgedRun> runs_in(const Json& json) {
  std::vector<JudgedRun> runs;
  if (const auto found = json.find("runs"); found != json.end())
    for (const Json& run : *found) runs.push_back({text_in(run, "run"), text_in(run, "digest")});
  return runs;
}

/// All but the rows.
Verdicts head_from(const Json& json) {
  if (json.at("schema") != verdicts_schema || json.at("schema_version") != verdicts_schema_version)
    throw std::runtime_error(
        fmt::format("expected schema {}, version {}", verdicts_schema, verdicts_schema_version));
  return {.command = text_in(json, "command"),
          .subject = text_in(json, "subject"),
          .verdict = verdict_in(json),
          .expected_false_flags = number_in(json, "expected_false_flags"),
          .notes = json.at("notes").get<std::vector<std::string>>(),
          .runs = runs_in(json)};
}

/// Rows as they come. What is wrong with one is reported once the whole is read, after another schema or text
/// that is cut off.
class IncomingRows {
 public:
  explicit IncomingRows(const VerdictRowSink& take) : take_(take) {}

  void add(const Json& from) {
    if (!wrong_.empty()) return;
    VerdictRow row;
    try {
      row = row_from(from);
    } catch (const std::exception& error) {
      wrong_ = fmt::format("rows[{}]: {}", taken_, error.what());
      return;
    }
    worst_.add({row.verdict, row.excused});
    ++taken_;
    take_(row);
  }
  void require_good() const {
    if (!wrong_.empty()) throw std::runtime_error(wrong_);
  }
  Verdict worst() const { return worst_.verdict(); }

 private:
  const VerdictRowSink& take_;
  std::size_t taken_ = 0;
  WorstVerdict worst_;
  std::string wrong_;
};

Verdicts streamed_verdicts(const core::ByteSource& json, const VerdictRowSink& take) {
  IncomingRows rows(take);
  const Json rest = parse_streaming(json, "rows", [&](const Json& row) { rows.add(row); });
  Verdicts verdicts = head_from(rest);
  for (const Json& row : rest.at("rows")) rows.add(row);  // if they are not a list
  rows.require_good();
  if (verdicts.verdict != rows.worst())
    throw std::runtime_error(fmt::format("key 'verdict': {}, and the worst of its rows is {}",
                                         to_string(verdicts.verdict), to_string(rows.worst())));
  return verdicts;
}

}  // namespace

Verdicts read_verdict_rows(const core::ByteSource& json, const std::string& where,
                           const VerdictRowSink& take) {
  try {
    return streamed_verdicts(json, take);
  } catch (const core::Error&) {
    throw;  // of the source
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: not verdicts of assay: {}", where, error.what()));
  }
}

Verdicts verdicts_from_json(const std::string& text, const std::string& where) {
  VerdictRows rows;
  Verdicts verdicts =
      read_verdict_rows(core::source_of(text), where, [&](const VerdictRow& row) { rows.push_back(row); });
  verdicts.rows = std::move(rows);
  return verdicts;
}

}  // namespace assay::results
