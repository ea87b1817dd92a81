// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json_reader.hpp"

#include <limits>
#include <stdexcept>

#include "harness/core/text/json_text.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {

void JsonReader::refuse(const std::string& key, const std::string& expected, const Json& found) {
  std::string text = core::json_text(found);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  throw std::runtime_error("key '" + key + "': expected " + expected + ", found " + text);
}

JsonReader::JsonReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object.is_object()) refuse(path_, "an object", object);
}

const JsonReader::Json& JsonReader::at(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) throw std::runtime_error("key '" + name(key) + "' is missing");
  return *found;
}

std::string JsonReader::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) refuse(name(key), "text", value);
  return value.get<std::string>();
}

std::int64_t JsonReader::integer(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
    refuse(name(key), "an integer", value);
  return value.get<std::int64_t>();
}

std::int64_t JsonReader::count(const char* key) const {
  const std::int64_t value = integer(key);
  if (value < 0) refuse(name(key), "a whole number from 0 on", at(key));
  return value;
}

std::string JsonReader::identity(const char* key) const {
  std::string value = text(key);
  if (value.empty()) refuse(name(key), "a name", at(key));
  return value;
}

double JsonReader::number(const char* key) const { return as_number(at(key), key); }

double JsonReader::amount(const char* key) const {
  const double value = number(key);
  if (value < 0) refuse(name(key), "a number from 0 on", at(key));
  return value;
}

double JsonReader::share(const char* key) const {
  const double value = number(key);
  if (!is_share_of_one(value)) refuse(name(key), "a number from 0 to 1", at(key));
  return value;
}

std::optional<double> JsonReader::optional_number(const char* key) const {
  if (!has(key) || at(key).is_null()) return std::nullopt;
  return number(key);
}

bool JsonReader::boolean(const char* key) const {
  const Json& value = at(key);
  if (!value.is_boolean()) refuse(name(key), "true or false", value);
  return value.get<bool>();
}

const JsonReader::Json& JsonReader::array(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) refuse(name(key), "a list", value);
  return value;
}

std::vector<double> JsonReader::numbers(const char* key) const {
  std::vector<double> values;
  for (const Json& value : array(key)) values.push_back(as_number(value, key));
  return values;
}

Fields JsonReader::fields(const char* key) const {
  Fields all;
  const JsonReader inner = object(key);
  for (const auto& [field, value] : inner.object_.items())
    all.emplace_back(field, inner.scalar(field.c_str(), value));
  return all;
}

double JsonReader::as_number(const Json& value, const char* key) const {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) refuse(name(key), "a number or null", value);
  return value.get<double>();
}

Scalar JsonReader::scalar(const char* key, const Json& value) const {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return integer(key);
  if (value.is_number_float() || value.is_null()) return as_number(value, key);
  refuse(name(key), "a number or text", value);
}

}  // namespace assay::results
