// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/predicted_step.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fabric {

namespace {

constexpr const char* step_key = "training_step";

toml::table table_of(const nlohmann::json& object);
toml::array array_of(const nlohmann::json& list);

/// Hands `value` to `take` as what TOML has for it; null is nothing.
template <class Take>
void convert(const nlohmann::json& value, const Take& take) {
  switch (value.type()) {
    case nlohmann::json::value_t::object:
      return take(table_of(value));
    case nlohmann::json::value_t::array:
      return take(array_of(value));
    case nlohmann::json::value_t::string:
      return take(value.get<std::string>());
    case nlohmann::json::value_t::boolean:
      return take(value.get<bool>());
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned:
      return take(value.get<std::int64_t>());
    case nlohmann::json::value_t::number_float:
      return take(value.get<double>());
    default:
      return;
  }
}

toml::table table_of(const nlohmann::json& object) {
  toml::table table;
  for (const auto& [key, value] : object.items())
    convert(value, [&](auto converted) { table.insert(key, std::move(converted)); });
  return table;
}

toml::array array_of(const nlohmann::json& list) {
  toml::array array;
  for (const nlohmann::json& value : list)
    convert(value, [&](auto converted) { array.push_back(std::move(converted)); });
  return array;
}

}  // namespace

toml::table read_predicted_step(const std::string& file) {
  const nlohmann::json json = model::read_json(file, "a prediction (assay predict --json)");
  if (!json.is_object() || !json.contains(step_key) || !json[step_key].is_object())
    core::usage_error(fmt::format(
        "{}: {}: missing: expected the output of assay predict --json for a step that fits", file, step_key));
  return table_of(json[step_key]);
}

}  // namespace assay::model::fabric
