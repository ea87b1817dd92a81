// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/answer.hpp"

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/suite/processes/base64.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::string_view mark = "@assay ";

std::string text_of(const json& from) { return core::json_text(from); }

json json_of(const Hello& hello) {
  return {{"host", hello.host},
          {"version", hello.version},
          {"revision", hello.revision},
          {"time_ns", hello.time_ns},
          {"gpus", hello.gpus},
          {"rails", hello.rails},
          {"components", hello.components}};
}

Hello hello_from(const json& from) {
  return {from.at("host"),
          from.at("version"),
          from.at("revision"),
          from.at("time_ns"),
          from.at("gpus"),
          from.value("rails", std::int64_t{0}),
          from.at("components").get<std::map<std::string, std::string>>()};
}

json json_of(const Outcome& outcome) {
  json steps = json::array();
  for (const StepEnd& step : outcome.steps)
    steps.push_back({{"step", step.step}, {"exit_code", step.exit_code}, {"last_line", step.last_line}});
  return {{"hello", json_of(outcome.hello)}, {"steps", std::move(steps)}};
}

Outcome outcome_of(const json& from) {
  Outcome outcome{.hello = hello_from(from.at("hello"))};
  for (const json& step : from.at("steps"))
    outcome.steps.push_back({step.at("step"), step.at("exit_code"), step.at("last_line")});
  return outcome;
}

Answer answer_of(const json& from) {
  Answer answer{.node = from.at("node"), .voice = from.value("voice", "")};
  if (from.contains("hello")) answer.hello = hello_from(from.at("hello"));
  if (const auto it = from.find("heartbeat"); it != from.end())
    answer.heartbeat = Heartbeat{it->at("step"), it->at("points")};
  if (const auto it = from.find("file"); it != from.end())
    answer.file = FileHead{it->at("path"), it->at("size"), it->at("digest")};
  if (const auto it = from.find("piece"); it != from.end()) {
    const auto bytes = suite::from_base64(it->at("bytes").get_ref<const std::string&>());
    answer.piece = FilePiece{it->at("path"), it->at("at"), bytes.value_or("")};
  }
  if (from.contains("outcome")) answer.outcome = outcome_of(from.at("outcome"));
  if (const auto it = from.find("end"); it != from.end())
    answer.end = End{it->at("interrupted"), it->at("shared"), it->at("why")};
  return answer;
}

}  // namespace

std::string to_json(const Outcome& outcome) { return text_of(json_of(outcome)) + "\n"; }

std::optional<Outcome> outcome_from(const std::string& text) try {
  return outcome_of(core::json_from<json>(text));
} catch (const json::exception&) {
  return std::nullopt;
}

std::string to_line(const Answer& answer) {
  json line{{"node", answer.node}};
  if (!answer.voice.empty()) line["voice"] = answer.voice;
  if (answer.hello) line["hello"] = json_of(*answer.hello);
  if (answer.heartbeat)
    line["heartbeat"] = {{"step", answer.heartbeat->step}, {"points", answer.heartbeat->points}};
  if (answer.file)
    line["file"] = {
        {"path", answer.file->path}, {"size", answer.file->size}, {"digest", answer.file->digest}};
  if (answer.piece)
    line["piece"] = {{"path", answer.piece->path},
                     {"at", answer.piece->at},
                     {"bytes", suite::to_base64(answer.piece->bytes)}};
  if (answer.outcome) line["outcome"] = json_of(*answer.outcome);
  if (answer.end)
    line["end"] = {
        {"interrupted", answer.end->interrupted}, {"shared", answer.end->shared}, {"why", answer.end->why}};
  return std::string(mark) + text_of(line) + "\n";
}

/// Launchers may put a label before a line: "3: @assay {...}".
std::optional<Answer> answer_from(std::string_view line) try {
  const std::size_t begin = line.find(mark);
  if (begin == std::string_view::npos) return std::nullopt;
  return answer_of(core::json_from<json>(line.substr(begin + mark.size())));
} catch (const json::exception&) {
  return std::nullopt;
}

}  // namespace assay::campaign
