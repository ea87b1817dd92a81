// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/json_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "harness/core/text/json_text.hpp"

namespace assay::results {
namespace {

/// "a number from 0 to 1", "a whole number from 0 on".
std::string expected_range(const std::string& what, const core::Terms& terms) {
  if (!std::isfinite(terms.lowest)) return what;
  const std::string from = fmt::format("{} from {}", what, terms.lowest);
  return std::isfinite(terms.highest) ? fmt::format("{} to {}", from, terms.highest) : from + " on";
}

std::string expected_text(const core::Terms& terms) {
  if (!terms.words.empty()) return core::alternatives(terms.words);
  return terms.form == core::Terms::Form::utc_time ? "a time such as 2026-11-29T08:30:00Z" : "a name";
}

std::int64_t as_integer(const std::string& name, const core::Terms& terms, const JsonReader::Json& value) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
    JsonReader::refuse(name, "an integer", value);
  const auto whole = value.get<std::int64_t>();
  if (!core::allows(terms, static_cast<double>(whole)))
    JsonReader::refuse(name, expected_range("a whole number", terms), value);
  return whole;
}

}  // namespace

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

void JsonReader::read(const char* key, const core::Terms& terms, std::string& into) const {
  const Json& value = at(key);
  if (!value.is_string()) refuse(name(key), "text", value);
  into = value.get<std::string>();
  if (!core::allows(terms, into)) refuse(name(key), expected_text(terms), value);
}

void JsonReader::read(const char* key, const core::Terms& terms, std::int64_t& into) const {
  into = as_integer(name(key), terms, at(key));
}

void JsonReader::read(const char* key, const core::Terms& terms, std::uint64_t& into) const {
  if (at(key).is_number_unsigned())
    into = at(key).get<std::uint64_t>();
  else
    into = static_cast<std::uint64_t>(as_integer(name(key), terms, at(key)));
}

void JsonReader::read(const char* key, const core::Terms& terms, int& rank) const {
  const std::int64_t value = as_integer(name(key), terms, at(key));
  if (!std::in_range<int>(value)) refuse(name(key), "a rank", at(key));
  rank = static_cast<int>(value);
}

void JsonReader::read(const char* key, const core::Terms& terms, double& into) const {
  into = as_number(at(key), key);
  if (!core::allows(terms, into)) refuse(name(key), expected_range("a number", terms), at(key));
}

void JsonReader::read(const char* key, const core::Terms&, bool& into) const {
  const Json& value = at(key);
  if (!value.is_boolean()) refuse(name(key), "true or false", value);
  into = value.get<bool>();
}

void JsonReader::read(const char* key, const core::Terms&, Fields& into) const {
  const JsonReader inner(at(key), name(key));
  for (const auto& [field, value] : inner.object_.items())
    into.emplace_back(field, inner.scalar(field.c_str(), value));
}

void JsonReader::read(const char* key, const core::Terms& terms, Json& into) const {
  into = at(key);
  if (terms.form == core::Terms::Form::object && !into.is_object() && !into.is_null())
    refuse(name(key), "an object or null", into);
}

void JsonReader::read(const char* key, const core::Terms&, std::vector<double>& into) const {
  for (const Json& value : array(key)) into.push_back(as_number(value, key));
}

void JsonReader::read(const char* key, const core::Terms&, std::vector<std::string>& into) const {
  for (const Json& word : array(key)) {
    if (!word.is_string()) refuse(name(key), "a list of texts", word);
    into.push_back(word.get<std::string>());
  }
}

const JsonReader::Json& JsonReader::array(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) refuse(name(key), "a list", value);
  return value;
}

/// A list that may be absent.
std::vector<std::int64_t> JsonReader::column(const char* key, const core::Terms& terms) const {
  std::vector<std::int64_t> values;
  if (has(key))
    for (const Json& value : array(key)) values.push_back(as_integer(name(key), terms, value));
  return values;
}

double JsonReader::as_number(const Json& value, const char* key) const {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) refuse(name(key), "a number or null", value);
  return value.get<double>();
}

Scalar JsonReader::scalar(const char* key, const Json& value) const {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return as_integer(name(key), core::any_value, value);
  if (value.is_number_float() || value.is_null()) return as_number(value, key);
  refuse(name(key), "a number or text", value);
}

}  // namespace assay::results
