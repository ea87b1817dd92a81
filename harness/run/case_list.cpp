// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/case_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "harness/run/journal/absences.hpp"

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

struct Lacking {
  std::set<std::string> components;
  bool whole = true;  // for all points of the default sweep
};

Lacking lacking_for(const core::Case& benchmark) {
  Lacking lacking;
  for (const core::Point& point : core::sweep(benchmark.axes)) {
    const auto component = not_built(benchmark, point);
    lacking.whole &= component.has_value();
    if (component) lacking.components.insert(*component);
  }
  return lacking;
}

std::string as_text(std::size_t number, const core::Case& benchmark) {
  std::string text = fmt::format("{} {}\n  {} ({})\n", number, benchmark.name, benchmark.measures,
                                 core::headline_unit(benchmark.headline));
  const Lacking lacking = lacking_for(benchmark);
  for (const std::string& component : lacking.components)
    text += fmt::format("  {}{}\n", lacking.whole ? "" : "in part ", core::built_without(component));
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

nlohmann::ordered_json as_json(std::size_t number, const core::Case& benchmark) {
  nlohmann::ordered_json axes = nlohmann::ordered_json::array();
  for (const core::Axis& axis : benchmark.axes) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const core::Value& value : axis.values)
      std::visit([&](const auto& held) { values.push_back(held); }, value);
    axes.push_back(
        {{"name", axis.name}, {"meaning", axis.meaning}, {"default", values}, {"choices", axis.choices}});
  }
  return {{"name", benchmark.name},
          {"number", number},
          {"measures", benchmark.measures},
          {"headline", core::headline_name(benchmark.headline)},
          {"not_built", lacking_for(benchmark).components},
          {"axes", axes}};
}

}  // namespace

std::string list_cases(const std::vector<core::Case>& cases, const std::string& format) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (format == "json")
      json.push_back(as_json(at + 1, cases[at]));
    else
      text += format == "names" ? cases[at].name + "\n" : as_text(at + 1, cases[at]) + "\n";
  }
  return format == "json" ? core::json_text(json, 2) + "\n" : text;
}

const std::string& case_numbered(const std::vector<core::Case>& cases, std::size_t number) {
  if (number < 1 || number > cases.size())
    core::usage_error(
        fmt::format("--case {}: expected 1 to {}, as --list numbers them", number, cases.size()));
  return cases[number - 1].name;
}

}  // namespace assay::run
