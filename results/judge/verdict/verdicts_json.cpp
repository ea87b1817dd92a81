// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/judge/verdict/verdicts.hpp"
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
