// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fabric/measured/expectation.hpp"

namespace assay::model::fabric::measured {

namespace {

using Kind = results::Column::Kind;
using Json = nlohmann::ordered_json;

results::Table table_of(const std::vector<ExpectedOperation>& operations) {
  results::Table table{.title = "Measured against simulated; what is between them is unexplained"};
  table.notes.emplace_back("Speed is measured over simulated: 1 is what the fabric should do.");
  table.columns = {{"case", "", Kind::word},
                   {"point", "", Kind::text},
                   {"ranks", "", Kind::count},
                   {"bytes", "", Kind::bytes},
                   {"measured", "us", Kind::number},
                   {"simulated", "us", Kind::number},
                   {"speed, unexplained", "", Kind::number}};
  for (const ExpectedOperation& one : operations)
    table.rows.push_back({one.measured.case_name, one.measured.point,
                          static_cast<std::int64_t>(one.measured.ranks),
                          static_cast<std::int64_t>(one.measured.bytes), one.measured.measured_us,
                          one.simulated_us, one.speed});
  return table;
}

Json json_of(const results::Number& number) {
  Json json = {{"value", number.value}};
  if (number.lower) json["lower"] = *number.lower;
  if (number.upper) json["upper"] = *number.upper;
  return json;
}

std::string json_of(const Answer& answer, const std::string& run, const FabricFile& fabric,
                    const std::vector<ExpectedOperation>& operations,
                    const std::map<std::string, std::size_t>& left_out) {
  Json json = {{"origin", "simulated"}, {"answer", answer.sentence}, {"notes", answer.notes},
               {"fabric", fabric.name}, {"measured", run},           {"operations", Json::array()},
               {"left_out", left_out}};
  for (const ExpectedOperation& one : operations)
    json["operations"].push_back({{"case", one.measured.case_name},
                                  {"point", one.measured.point},
                                  {"ranks", one.measured.ranks},
                                  {"bytes", one.measured.bytes},
                                  {"measured_us", json_of(one.measured.measured_us)},
                                  {"simulated_us", json_of(one.simulated_us)},
                                  {"unexplained_speed", json_of(one.speed)}});
  return core::json_text(json, 2);
}

std::string left_out_text(const std::map<std::string, std::size_t>& left_out) {
  std::string text;
  for (const auto& [why, points] : left_out)
    text +=
        fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", points, points == 1 ? "point" : "points", why);
  return text;
}

}  // namespace

Answer expectation_answer(const FabricFile& fabric, const std::string& run,
                          const std::vector<ExpectedOperation>& operations,
                          const std::map<std::string, std::size_t>& left_out,
                          const SimulationOptions& options) {
  if (operations.empty())
    core::usage_error(fmt::format("{}: expected collectives, or rdma patterns, that can be simulated{}", run,
                                  left_out.empty() ? "" : "; left out: " + left_out_text(left_out)));
  const auto speed = [](const ExpectedOperation& one) { return one.speed.value; };
  const auto [slowest, fastest] = std::ranges::minmax_element(operations, {}, speed);
  std::vector<SharingRuleKind> rules;
  for (const ExpectedOperation& one : operations)
    for (const SharingRuleKind rule : one.rules)
      if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  Answer answer{
      .sentence = fmt::format("{}: {} operations reach {:.3g} to {:.3g} of the speed that is simulated for "
                              "{}; slowest: {} {}",
                              run, operations.size(), speed(*slowest), speed(*fastest), fabric.name,
                              slowest->measured.case_name, slowest->measured.point),
      .notes = notes_of(fabric, rules, options.seeds)};
  if (!left_out.empty()) answer.notes.push_back(fmt::format("Left out: {}.", left_out_text(left_out)));
  answer.tables = {table_of(operations)};
  answer.json = json_of(answer, run, fabric, operations, left_out);
  return answer;
}

}  // namespace assay::model::fabric::measured
