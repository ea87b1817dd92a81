// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/edited_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::model {
namespace {

/// "networks[0].size" as "/networks/0/size"; empty where it has not that form.
std::string pointer_text(const std::string& key) {
  constexpr auto allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]";
  if (key.empty() || key.find_first_not_of(allowed) != std::string::npos) return {};
  std::string pointer = "/";
  for (const char letter : key) {
    if (letter == ']') continue;
    pointer += letter == '.' || letter == '[' ? '/' : letter;
  }
  return pointer;
}

/// A count stays a whole number, as readers of sizes expect.
nlohmann::json number_of(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

/// Words need no quotes.
nlohmann::json value_of(const std::string& text) {
  nlohmann::json value = core::json_or_discarded<nlohmann::json>(text);
  return value.is_discarded() ? nlohmann::json(text) : value;
}

bool same_kind(const nlohmann::json& left, const nlohmann::json& right) {
  return left.is_number() ? right.is_number() : left.type() == right.type();
}

}  // namespace

Assignment assignment_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    core::usage_error(fmt::format("--set {}: expected KEY=VALUE, like networks[0].size=16", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

bool EditedJson::has(const std::string& key) const {
  const std::string pointer = pointer_text(key);
  try {
    return !pointer.empty() && json_.contains(nlohmann::json::json_pointer(pointer));
  } catch (const nlohmann::json::exception&) {  // an index beyond 64 bits
    return false;
  }
}

const nlohmann::json& EditedJson::place(const std::string& key) const {
  if (!has(key)) core::usage_error(fmt::format("{}: {}: there is no such key", name_, key));
  return json_.at(nlohmann::json::json_pointer(pointer_text(key)));
}

double EditedJson::number(const std::string& key) const {
  const nlohmann::json& value = place(key);
  if (!value.is_number()) core::usage_error(fmt::format("{}: {}: expected a number", name_, key));
  return value.get<double>();
}

void EditedJson::set(const std::string& key, double value) {
  number(key);
  json_.at(nlohmann::json::json_pointer(pointer_text(key))) = number_of(value);
}

void EditedJson::set(const Assignment& assignment) {
  const std::string text = assignment.key + "=" + assignment.value;
  const nlohmann::json& value = place(assignment.key);
  if (value.is_structured())
    core::usage_error(fmt::format("--set {}: expected the key of a single value of {}", text, name_));
  nlohmann::json wanted = value_of(assignment.value);
  if (!same_kind(value, wanted))
    core::usage_error(
        fmt::format("--set {}: expected a value like the one there, {}", text, core::json_text(value)));
  json_.at(nlohmann::json::json_pointer(pointer_text(assignment.key))) = std::move(wanted);
}

void EditedJson::set_or_add(const Assignment& assignment) {
  constexpr auto inner = ".[]";
  if (has(assignment.key) || !json_.is_object() || assignment.key.find_first_of(inner) != std::string::npos)
    return set(assignment);
  json_[assignment.key] = value_of(assignment.value);
}

}  // namespace assay::model
