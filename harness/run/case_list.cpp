// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/case_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/units.hpp"

namespace assay::run {
namespace {

std::string text_of(const core::Axis& axis, const core::Value& value) {
  if (axis.domain == core::Domain::sizes && std::holds_alternative<std::int64_t>(value))
    return core::format_bytes(std::get<std::int64_t>(value));
  return core::to_text(value);
}

std::string values_of(const core::Axis& axis) {
  std::string text;
  for (const core::Value& value : axis.values) text += (text.empty() ? "" : " ") + text_of(axis, value);
  return text;
}

std::string as_text(const core::Case& benchmark) {
  std::string text = fmt::format("{}\n  {} ({})\n", benchmark.name, benchmark.measures,
                                 core::headline_unit(benchmark.headline));
  for (const core::Axis& axis : benchmark.axes) {
    text +=
        fmt::format("  {:<10} {}\n  {:<10}   default: {}\n", axis.name, axis.meaning, "", values_of(axis));
    if (!axis.choices.empty() && axis.choices.size() != axis.values.size()) {
      std::string choices;
      for (const std::string& choice : axis.choices) choices += " " + choice;
      text += fmt::format("  {:<10}   takes:  {}\n", "", choices);
    }
  }
  return text;
}

nlohmann::ordered_json as_json(const core::Case& benchmark) {
  nlohmann::ordered_json axes = nlohmann::ordered_json::array();
  for (const core::Axis& axis : benchmark.axes) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const core::Value& value : axis.values)
      std::visit([&](const auto& held) { values.push_back(held); }, value);
    axes.push_back(
        {{"name", axis.name}, {"meaning", axis.meaning}, {"default", values}, {"choices", axis.choices}});
  }
  return {{"name", benchmark.name},
          {"measures", benchmark.measures},
          {"headline", core::headline_name(benchmark.headline)},
          {"axes", axes}};
}

}  // namespace

std::string list_cases(const std::vector<core::Case>& cases, const std::string& format) {
  if (format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const core::Case& benchmark : cases) all.push_back(as_json(benchmark));
    return all.dump(2) + "\n";
  }
  std::string text;
  for (const core::Case& benchmark : cases)
    text += format == "names" ? benchmark.name + "\n" : as_text(benchmark) + "\n";
  return text;
}

}  // namespace assay::run
