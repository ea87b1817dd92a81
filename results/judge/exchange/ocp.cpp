// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/exchange/ocp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/version.hpp"
#include "results/judge/exchange/ocp_system.hpp"

namespace assay::results {
namespace {

using OcpJson = nlohmann::ordered_json;

/// Numbers and dates the lines.
class OcpLines {
 public:
  OcpLines(const ToldRun& run, const core::ByteSink& sink) : run_(run), sink_(sink) {}

  void write(const char* artifact, OcpJson content, ToldRun::Time when) {
    OcpJson line{
        {artifact, std::move(content)}, {"sequenceNumber", next_++}, {"timestamp", core::iso_time(when)}};
    sink_(core::json_text(line) + "\n");
  }
  void of_run(const char* what, OcpJson content) {
    write("testRunArtifact", {{what, std::move(content)}}, run_.now());
  }
  void of_step(std::size_t step, const char* what, OcpJson content) {
    write("testStepArtifact", {{what, std::move(content)}, {"testStepId", std::to_string(step)}}, run_.now());
  }

 private:
  const ToldRun& run_;
  const core::ByteSink& sink_;
  std::int64_t next_ = 0;
};

bool is_number(const std::optional<double>& value) { return value && std::isfinite(*value); }

void add_number(OcpJson& to, const char* key, const std::optional<double>& value) {
  if (is_number(value)) to[key] = *value;
}

void add_text(OcpJson& to, const char* key, std::string_view text) {
  if (!text.empty()) to[key] = text;
}

OcpJson validators_of(const VerdictRow& row) {
  OcpJson validators = OcpJson::array();
  const auto add = [&](const char* type, const std::optional<double>& bound) {
    if (!is_number(bound)) return;
    OcpJson validator{{"type", type}, {"value", *bound}};
    if (!row.limit_source.empty()) validator["metadata"] = {{"source", row.limit_source}};
    validators.push_back(std::move(validator));
  };
  if (row.limit) add("GREATER_THAN_OR_EQUAL", row.limit->lowest);
  if (row.limit) add("LESS_THAN_OR_EQUAL", row.limit->highest);
  return validators;
}

/// The interval of the value, which the verdict is of: validators see the value alone.
OcpJson evidence_of(const VerdictRow& row) {
  OcpJson metadata = OcpJson::object();
  add_number(metadata, "lower", row.value->lower);
  add_number(metadata, "upper", row.value->upper);
  if (row.n > 0) metadata["n"] = row.n;
  add_number(metadata, "smallestDefect", row.smallest_defect);
  add_text(metadata, "origin", row.origin);
  return metadata;
}

OcpJson measurement_of(const VerdictRow& row, const TestedPart* part) {
  OcpJson measurement{{"name", row.metric}, {"value", row.value->value}};
  add_text(measurement, "unit", row.value_unit);
  if (OcpJson validators = validators_of(row); !validators.empty())
    measurement["validators"] = std::move(validators);
  if (part != nullptr) measurement["hardwareInfoId"] = part->id;
  if (OcpJson metadata = evidence_of(row); !metadata.empty()) measurement["metadata"] = std::move(metadata);
  return measurement;
}

/// "gpu-FAIL": readers count them.
std::string short_word_of(const VerdictRow& row) {
  return fmt::format("{}{}{}", row.kind, row.kind.empty() ? "" : "-", word_of(row));
}

const char* type_of(const VerdictRow& row) {
  if (row.excused || row.verdict == Verdict::not_run || row.verdict == Verdict::inconclusive)
    return "UNKNOWN";
  return row.verdict == Verdict::fail ? "FAIL" : "PASS";
}

OcpJson diagnosis_of(const VerdictRow& row, const TestedPart* part) {
  OcpJson diagnosis{{"verdict", short_word_of(row)}, {"type", type_of(row)}};
  const std::string lines = explanation_of(row);
  add_text(diagnosis, "message", std::string_view(lines).substr(0, lines.find_last_not_of('\n') + 1));
  if (part != nullptr) diagnosis["hardwareInfoId"] = part->id;
  return diagnosis;
}

void write_step(std::size_t step, const VerdictRow& row, const TestedSystem& system, OcpLines& lines) {
  const TestedPart* const part = system.part_of(row.unit);
  lines.of_step(step, "testStepStart",
                {{"name", fmt::format("{}{}{}", row.unit, row.unit.empty() ? "" : " ", row.metric)}});
  if (row.value && std::isfinite(row.value->value))
    lines.of_step(step, "measurement", measurement_of(row, part));
  lines.of_step(step, "diagnosis", diagnosis_of(row, part));
  lines.of_step(step, "testStepEnd", {{"status", row.verdict == Verdict::not_run ? "SKIP" : "COMPLETE"}});
}

OcpJson start_of(const Verdicts& verdicts, const TestedSystem& system, const ToldRun& run) {
  OcpJson metadata{{"subject", verdicts.subject}};
  add_text(metadata, "origin", origin_of(verdicts));
  add_number(metadata, "expectedFalseFlags", verdicts.expected_false_flags);
  for (const JudgedRun& judged : verdicts.runs)
    metadata["runs"].push_back({{"run", judged.run_id}, {"digest", judged.digest}});
  return {{"name", "assay " + verdicts.command},
          {"version", core::version()},
          {"commandLine", run.command_line},
          {"parameters", OcpJson::object()},  // all of them are in the command line
          {"dutInfo", ocp_system(system)},
          {"metadata", std::move(metadata)}};
}

OcpJson end_of(Verdict verdict) {
  if (verdict == Verdict::fail) return {{"status", "COMPLETE"}, {"result", "FAIL"}};
  if (is_fit(verdict)) return {{"status", "COMPLETE"}, {"result", "PASS"}};
  return {{"status", "SKIP"}, {"result", "NOT_APPLICABLE"}};
}

}  // namespace

void write_ocp(const Verdicts& verdicts, const TestedSystem& system, const ToldRun& run,
               const core::ByteSink& sink) {
  OcpLines lines(run, sink);
  lines.write("schemaVersion", {{"major", 2}, {"minor", 0}}, run.started);
  lines.write("testRunArtifact", {{"testRunStart", start_of(verdicts, system, run)}}, run.started);
  for (const std::string& note : verdicts.notes)
    lines.of_run("log", {{"severity", "INFO"}, {"message", note}});
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) write_step(at, verdicts.rows[at], system, lines);
  if (const std::string why = why_incomplete(verdicts); !why.empty())
    lines.of_run("error", {{"symptom", "evidence-is-incomplete"}, {"message", why}});
  lines.of_run("testRunEnd", end_of(verdicts.verdict));
}

}  // namespace assay::results
