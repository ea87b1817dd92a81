// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "harness/core/input_file.hpp"
#include "harness/core/json_text.hpp"
#include "harness/core/whole_file.hpp"
#include "results/judge/verdicts.hpp"
#include "results/record/record_rules.hpp"
#include "results/table/escaped_html.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_verdicts_bytes = std::size_t{1} << 30U;

Json json_of(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json json_of(const VerdictRow& row) {
  Json json{
      {"unit", row.unit}, {"kind", row.kind}, {"metric", row.metric}, {"verdict", to_string(row.verdict)}};
  json["excused"] = row.excused;
  json["value"] = nullptr;
  if (row.value)
    json["value"] = {{"value", json_of(row.value->value)},
                     {"lower", json_of(row.value->lower)},
                     {"upper", json_of(row.value->upper)}};
  json["value_unit"] = row.value_unit;
  json["limit"] = nullptr;
  if (row.limit)
    json["limit"] = {{"lowest", json_of(row.limit->lowest)}, {"highest", json_of(row.limit->highest)}};
  json["limit_source"] = row.limit_source;
  json["n"] = row.n;
  json["smallest_defect"] = json_of(row.smallest_defect);
  json["because"] = row.because;
  json["evidence"] = row.evidence;
  json["meaning"] = row.meaning;
  json["action"] = to_string(row.action);
  json["origin"] = row.origin;
  return json;
}

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
  for (const Verdict verdict : {Verdict::pass, Verdict::not_run, Verdict::inconclusive, Verdict::fail})
    if (to_string(verdict) == word) return verdict;
  throw std::runtime_error(
      fmt::format("key 'verdict': expected PASS, FAIL, INCONCLUSIVE or NOT_RUN, found '{}'", word));
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

Verdicts verdicts_from(const Json& json) {
  if (json.at("schema") != verdicts_schema || json.at("schema_version") != verdicts_schema_version)
    throw std::runtime_error(
        fmt::format("expected schema {}, version {}", verdicts_schema, verdicts_schema_version));
  Verdicts verdicts{.command = text_in(json, "command"),
                    .subject = text_in(json, "subject"),
                    .verdict = verdict_in(json),
                    .expected_false_flags = number_in(json, "expected_false_flags"),
                    .notes = json.at("notes").get<std::vector<std::string>>(),
                    .runs = runs_in(json)};
  for (const Json& row : json.at("rows")) try {
      verdicts.rows.push_back(row_from(row));
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("rows[{}]: {}", verdicts.rows.size(), error.what()));
    }
  if (verdicts.verdict != worst_of(verdicts.rows))
    throw std::runtime_error(fmt::format("key 'verdict': {}, and the worst of its rows is {}",
                                         to_string(verdicts.verdict), to_string(worst_of(verdicts.rows))));
  return verdicts;
}

}  // namespace

void write_json(const Verdicts& verdicts, const core::ByteSink& sink) {
  Json json{{"schema", verdicts_schema},
            {"schema_version", verdicts_schema_version},
            {"command", verdicts.command},
            {"subject", verdicts.subject},
            {"verdict", to_string(verdicts.verdict)},
            {"expected_false_flags", json_of(verdicts.expected_false_flags)},
            {"notes", verdicts.notes},
            {"runs", Json::array()},
            {"rows", Json::array()}};
  for (const JudgedRun& run : verdicts.runs)
    json["runs"].push_back({{"run", run.run_id}, {"digest", run.digest}});
  const std::string whole = core::json_text(json, 2);  // ends with "[]\n}"
  constexpr std::string_view no_rows = "]\n}";
  sink(std::string_view(whole).substr(0, whole.size() - no_rows.size()));
  const char* before = "\n    ";
  for (const VerdictRow& row : verdicts.rows) {
    sink(before + replaced(core::json_text(json_of(row), 2), {{'\n', "\n    "}}));
    before = ",\n    ";
  }
  sink(verdicts.rows.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string to_json(const Verdicts& verdicts) {
  return core::written([&](const core::ByteSink& sink) { write_json(verdicts, sink); });
}

Verdicts verdicts_from_json(const std::string& text, const std::string& where) {
  try {
    require_unique_keys(text);
    return verdicts_from(Json::parse(text));
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: not verdicts of assay: {}", where, error.what()));
  }
}

void write_verdicts(const std::string& file, const Verdicts& verdicts) {
  core::write_whole_file(file, [&](const core::ByteSink& sink) { write_json(verdicts, sink); });
}

Verdicts read_verdicts(const std::string& file) {
  const std::string text = core::read_input(file, "verdicts that assay wrote", longest_verdicts_bytes);
  try {
    return verdicts_from_json(text, file);
  } catch (const std::runtime_error& error) {
    core::usage_error(error.what());
  }
}

}  // namespace assay::results
