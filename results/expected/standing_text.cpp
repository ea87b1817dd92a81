// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "harness/core/units.hpp"
#include "results/expected/standing.hpp"
#include "results/table/table.hpp"

namespace assay::results::expected {
namespace {

using Json = nlohmann::ordered_json;

std::string size_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? bytes_text(*bytes) : std::string("size not stated");
}

std::string what_text(const Question& question) {
  std::string text = question.operation;
  if (is_collective(question.operation))
    text += fmt::format(" of {} GPUs on {}", question.gpus, core::counted(question.nodes, "node"));
  text += question.system.empty() ? ", unknown system" : ", " + question.system;
  if (question.bytes || is_collective(question.operation)) text += ", " + size_text(question.bytes);
  if (!question.network.empty()) text += ", " + question.network;
  return fmt::format("{}: {:.5g} {}{}", text, question.value, question.unit(),
                     is_collective(question.operation) ? " busbw" : "");
}

std::string value_text(const PublishedValue& value) {
  constexpr const char* kinds[] = {"typical", "least accepted", "most"};
  std::string text =
      fmt::format("{:.5g} {}, {}", value.value, value.unit, kinds[static_cast<int>(value.kind)]);
  if (value.gpus > 0) text += fmt::format(", {} GPUs", value.gpus);
  text += ", " + size_text(value.bytes);
  if (!value.network.empty()) text += ", " + value.network;
  if (!value.settings.empty()) text += ", " + value.settings;
  return text + fmt::format(" ({}{}{})", value.source, value.date.empty() ? "" : ", ", value.date);
}

std::string share_text(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string stands_text(const Standing& standing, double margin) {
  const double value = standing.question.value, reference = standing.reference;
  switch (standing.kind) {
    case StandingKind::unknown:
      return "unknown: no usual value is known";
    case StandingKind::impossible:
      return "above what physics allows: see the bound";
    case StandingKind::above:
      return fmt::format("above the usual ({})", standing.reference_is);
    case StandingKind::usual:
      return fmt::format("usual ({}): {} {} its lowest value, and {} counts as equal", standing.reference_is,
                         share_text(std::abs(value / reference - 1)), value < reference ? "below" : "above",
                         share_text(margin));
    case StandingKind::below:
      return fmt::format("{} below the lowest usual value ({}); {} counts as equal",
                         share_text(1 - value / reference), standing.reference_is, share_text(margin));
  }
  return "";
}

void add_line(std::string& text, const char* name, const std::string& line) {
  text += fmt::format("{:<12}{}\n", name, line);
}

void add_values(std::string& text, const char* name, const std::vector<PublishedValue>& values) {
  for (const PublishedValue& value : values) {
    add_line(text, name, value_text(value));
    name = "";
  }
}

std::string history_text(const Evidence& evidence) {
  if (!evidence.history) return "unknown: no store of this site with the same setting (--store)";
  const OwnHistory& own = *evidence.history;
  return fmt::format("{:.5g} to {:.5g}, median {:.5g}: {} of {} ({})", own.lowest, own.highest, own.median,
                     core::counted(own.values, "value"), core::counted(own.hosts, "host"), own.store);
}

std::string bound_text(const Standing& standing) {
  if (standing.bounds.empty()) return "unknown: no data sheet or network says";
  const PhysicalBound& bound = standing.bounds.front();
  return fmt::format("{:.5g} {}: {}; this is {} of it", bound.value, standing.question.unit(), bound.by,
                     share_text(standing.question.value / bound.value));
}

Json values_json(const std::vector<PublishedValue>& values) {
  Json list = Json::array();
  for (const PublishedValue& value : values) {
    Json one = {{"value", value.value}, {"unit", value.unit}, {"kind", published_kinds.of(value.kind)}};
    if (value.gpus > 0) one["gpus"] = value.gpus;
    if (value.nodes > 0) one["nodes"] = value.nodes;
    if (value.bytes) one["bytes"] = *value.bytes;
    for (const auto& [name, word] : {std::pair("network", &value.network),
                                     std::pair("settings", &value.settings), std::pair("date", &value.date)})
      if (!word->empty()) one[name] = *word;
    one["source"] = value.source;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

std::string text_of(const Standing& standing, double margin) {
  const Question& question = standing.question;
  std::string text = (question.place.empty() ? "" : question.place + "\n") + what_text(question) + "\n";
  add_line(text, "stands", stands_text(standing, margin));
  add_values(text, "usual", standing.usual);
  add_values(text, "limits", standing.limits);
  if (standing.usual.empty()) {
    add_line(text, "usual", "unknown: no one published this setting");
    add_values(text, "others", standing.near);
  }
  add_line(text, "history", history_text(standing.evidence));
  add_line(text, "bound", bound_text(standing));
  add_line(text, "simulation",
           standing.evidence.simulated ? fmt::format("{:.5g} {} ({})", *standing.evidence.simulated,
                                                     question.unit(), standing.evidence.simulated_by)
                                       : std::string("unknown: no fabric (--fabric)"));
  int number = 0;
  for (const FittingCause& cause : standing.causes)
    add_line(text, fmt::format("cause {}", ++number).c_str(),
             fmt::format("{}: usually costs {}\n{:<12}{}", cause.what, cause.usual_loss, "", cause.command));
  return text;
}

nlohmann::ordered_json json_of(const Standing& standing) {
  const Question& question = standing.question;
  Json json = {{"operation", question.operation},
               {"system", question.system},
               {"gpus", question.gpus},
               {"nodes", question.nodes},
               {"bytes", question.bytes ? Json(*question.bytes) : Json(nullptr)},
               {"value", question.value},
               {"unit", question.unit()},
               {"place", question.place},
               {"stands", to_string(standing.kind)}};
  if (standing.reference > 0) {
    json["lowest_usual"] = standing.reference;
    json["lowest_usual_is"] = standing.reference_is;
  }
  json["usual"] = values_json(standing.usual);
  json["limits"] = values_json(standing.limits);
  json["others"] = values_json(standing.near);
  if (const auto& own = standing.evidence.history)
    json["history"] = {{"lowest", own->lowest},
                       {"median", own->median},
                       {"highest", own->highest},
                       {"values", own->values},
                       {"hosts", own->hosts}};
  json["bounds"] = Json::array();
  for (const PhysicalBound& bound : standing.bounds)
    json["bounds"].push_back({{"value", bound.value}, {"by", bound.by}});
  if (standing.evidence.simulated) json["simulated"] = *standing.evidence.simulated;
  json["causes"] = Json::array();
  for (const FittingCause& cause : standing.causes)
    json["causes"].push_back(
        {{"cause", cause.what}, {"usual_loss", cause.usual_loss}, {"command", cause.command}});
  return json;
}

}  // namespace assay::results::expected
