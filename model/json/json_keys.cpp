// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/nearest_name.hpp"

namespace assay::model {
namespace {

constexpr std::int64_t largest_count = 1'000'000'000;
constexpr std::size_t shown_name_bytes = 60;

}  // namespace

bool is_finite_number(const JsonValue& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

JsonKeys::JsonKeys(const JsonValue& value) : JsonKeys(value, nullptr) {}

JsonKeys::JsonKeys(const nlohmann::json& tree, std::string where)
    : owned_(std::make_shared<const JsonDocument>(std::move(where), tree)), value_(owned_->root()) {
  *this = JsonKeys(value_, owned_);
}

JsonKeys::JsonKeys(const JsonValue& value, std::shared_ptr<const JsonDocument> owned)
    : owned_(std::move(owned)), value_(value) {
  if (value.is_object()) return;
  std::string place = value.document().place_of(value.place());
  place.erase(place.find_last_not_of(". :") + 1);
  core::usage_error(fmt::format("{}: expected a JSON object, got {}", place, shown(value)));
}

std::string JsonKeys::place_of(std::string_view key) const {
  return fmt::format("{}{}{}", value_.document().place_of(value_.place()), value_.place() == 0 ? "" : ".",
                     core::printable(key, shown_name_bytes));
}

JsonValue JsonKeys::at(std::string_view key) const {
  const JsonValue found = value_.find(key);
  if (!found.found()) core::usage_error(fmt::format("{}: this key is missing", place_of(key)));
  return found;
}

JsonValue JsonKeys::list(std::string_view key) const {
  const JsonValue value = at(key);
  if (!value.is_array()) fail(key, "a list", value);
  return value;
}

std::vector<JsonKeys> JsonKeys::objects(std::string_view key) const {
  std::vector<JsonKeys> all;
  for (const JsonValue value : list(key)) all.push_back({value, owned_});
  return all;
}

std::vector<std::string> JsonKeys::names() const {
  std::vector<std::string> all;
  for (const JsonValue member : value_) all.emplace_back(member.key());
  std::ranges::sort(all);
  return all;
}

std::int64_t JsonKeys::whole(std::string_view key, std::int64_t least) const {
  const JsonValue value = at(key);
  if (value.kind() != JsonKind::whole || value.get<std::int64_t>() < least ||
      value.get<std::int64_t>() > largest_count)
    fail(key, fmt::format("a whole number from {} to {}", least, largest_count), value);
  return value.get<std::int64_t>();
}

double JsonKeys::number(std::string_view key) const {
  const JsonValue value = at(key);
  if (!is_finite_number(value) || value.get<double>() < 0) fail(key, "a number, 0 or above", value);
  return value.get<double>();
}

double JsonKeys::above_zero(std::string_view key) const {
  const JsonValue value = at(key);
  if (!is_finite_number(value) || value.get<double>() <= 0) fail(key, "a number above 0", value);
  return value.get<double>();
}

bool JsonKeys::flag(std::string_view key) const {
  const JsonValue value = at(key);
  if (!value.is_boolean()) fail(key, "true or false", value);
  return value.get<bool>();
}

std::string JsonKeys::word(std::string_view key) const {
  const JsonValue value = at(key);
  if (!value.is_string()) fail(key, "a word", value);
  return value.get<std::string>();
}

std::size_t JsonKeys::one_of(std::string_view key, std::span<const std::string_view> names) const {
  const JsonValue value = at(key);
  const auto found =
      value.is_string() ? std::ranges::find(names, value.get<std::string_view>()) : names.end();
  if (found == names.end()) fail(key, fmt::format("one of {}", fmt::join(names, ", ")), value);
  return static_cast<std::size_t>(found - names.begin());
}

void JsonKeys::only(std::span<const std::string_view> names) const {
  for (const JsonValue member : value_) {
    if (std::ranges::find(names, member.key()) != names.end()) continue;
    core::usage_error(fmt::format("{}: {}", place_of(member.key()), core::unknown_key(member.key(), names)));
  }
}

void JsonKeys::fail(std::string_view key, std::string_view expected, const JsonValue& got) const {
  core::usage_error(fmt::format("{}: expected {}, got {}", place_of(key), expected, shown(got)));
}

void JsonKeys::fail(std::string_view key, std::string_view expected) const {
  core::usage_error(fmt::format("{}: expected {}", place_of(key), expected));
}

}  // namespace assay::model
