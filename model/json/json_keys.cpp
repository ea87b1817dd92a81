// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "model/json/nearest_name.hpp"

namespace assay::model {
namespace {

constexpr std::int64_t largest_count = 1'000'000'000;

std::string shown(const nlohmann::json& value) {
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

bool is_finite_number(const nlohmann::json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

JsonKeys::JsonKeys(const nlohmann::json& value, std::string where) : value_(value), where_(std::move(where)) {
  if (value.is_object()) return;
  while (!where_.empty() && (where_.back() == '.' || where_.back() == ' ' || where_.back() == ':'))
    where_.pop_back();
  core::usage_error(fmt::format("{}: expected a JSON object, got {}", where_, shown(value)));
}

const nlohmann::json& JsonKeys::at(std::string_view key) const {
  const auto found = value_.find(key);
  if (found == value_.end()) core::usage_error(fmt::format("{}{}: this key is missing", where_, key));
  return *found;
}

const nlohmann::json& JsonKeys::list(std::string_view key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_array()) fail(key, "a list", value);
  return value;
}

std::vector<JsonKeys> JsonKeys::objects(std::string_view key) const {
  std::vector<JsonKeys> all;
  for (const nlohmann::json& value : list(key))
    all.emplace_back(value, fmt::format("{}{}[{}].", where_, key, all.size()));
  return all;
}

std::vector<std::string> JsonKeys::names() const {
  std::vector<std::string> all;
  for (const auto& [name, value] : value_.items()) all.push_back(name);
  return all;
}

std::int64_t JsonKeys::whole(std::string_view key, std::int64_t least) const {
  const nlohmann::json& value = at(key);
  if (!value.is_number_integer() || value.get<double>() < static_cast<double>(least) ||
      value.get<double>() > static_cast<double>(largest_count))
    fail(key, fmt::format("a whole number from {} to {}", least, largest_count), value);
  return value.get<std::int64_t>();
}

double JsonKeys::number(std::string_view key) const {
  const nlohmann::json& value = at(key);
  if (!is_finite_number(value) || value.get<double>() < 0) fail(key, "a number, 0 or above", value);
  return value.get<double>();
}

double JsonKeys::above_zero(std::string_view key) const {
  const nlohmann::json& value = at(key);
  if (!is_finite_number(value) || value.get<double>() <= 0) fail(key, "a number above 0", value);
  return value.get<double>();
}

bool JsonKeys::flag(std::string_view key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_boolean()) fail(key, "true or false", value);
  return value.get<bool>();
}

std::string JsonKeys::word(std::string_view key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_string()) fail(key, "a word", value);
  return value.get<std::string>();
}

std::size_t JsonKeys::one_of(std::string_view key, std::span<const std::string_view> names) const {
  const nlohmann::json& value = at(key);
  const auto found =
      value.is_string() ? std::find(names.begin(), names.end(), value.get<std::string>()) : names.end();
  if (found == names.end()) fail(key, fmt::format("one of {}", fmt::join(names, ", ")), value);
  return static_cast<std::size_t>(found - names.begin());
}

void JsonKeys::only(std::span<const std::string_view> names) const {
  for (const auto& [key, value] : value_.items()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string_view meant = nearest_name(key, names);
    core::usage_error(fmt::format("{}{}: unknown key (expected {}){}", where_, key, fmt::join(names, ", "),
                                  meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
  }
}

void JsonKeys::fail(std::string_view key, std::string_view expected, const nlohmann::json& got) const {
  core::usage_error(fmt::format("{}{}: expected {}{}", where_, key, expected,
                                got.is_null() ? std::string() : fmt::format(", got {}", shown(got))));
}

}  // namespace assay::model
