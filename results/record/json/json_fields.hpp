// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON of what has a description (harness/core/describe/field.hpp). Private to results/record.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "results/record/json/record_json.hpp"

namespace assay::results {

using OrderedJson = nlohmann::ordered_json;

template <class Value>
concept PlainJson =
    std::is_integral_v<Value> || std::is_same_v<Value, std::string> || std::is_same_v<Value, OrderedJson>;

OrderedJson json_of(const PlainJson auto& value) { return value; }
/// JSON has no NaN and no infinity: null.
inline OrderedJson json_of(double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(); }
inline OrderedJson json_of(const Fields& fields) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, value] : fields) object[name] = to_json(value);
  return object;
}
template <class Enum>
  requires std::is_enum_v<Enum>
OrderedJson json_of(Enum value) {
  return words_for(core::Type<Enum>()).of(value);
}
template <core::Described T>
OrderedJson json_of(const T& value);
template <class Part>
OrderedJson json_of(const std::vector<Part>& parts) {
  OrderedJson array = OrderedJson::array();
  for (const Part& part : parts) array.push_back(json_of(part));
  return array;
}
template <class Value>
bool holds_nothing(const Value&) {
  return false;
}
template <class Part>
bool holds_nothing(const std::vector<Part>& parts) {
  return parts.empty();
}

/// A value that is not there, or not finite, is left out.
template <class Value>
void put_value(OrderedJson& object, const char* name, const core::Terms&, const std::optional<Value>& value) {
  if (!value) return;
  if (OrderedJson json = json_of(*value); !json.is_null()) object[name] = std::move(json);
}
template <class Value>
void put_value(OrderedJson& object, const char* name, const core::Terms& terms, const Value& value) {
  if (!terms.may_be_absent || !holds_nothing(value)) object[name] = json_of(value);
}

template <core::FieldName name, auto member, class T>
void put_row(OrderedJson& object, const core::Field<name, member>& field, const T& from) {
  put_value(object, field.name.text, field.terms, from.*member);
}
template <core::FieldName name, class... Part, class T>
void put_row(OrderedJson& object, const core::Group<name, Part...>& group, const T& from) {
  OrderedJson& parts = object[group.name.text] = OrderedJson::object();
  core::each_row(group.parts, [&](const auto& part) { put_row(parts, part, from); });
}
template <auto member, class... Part, class T>
void put_row(OrderedJson& object, const core::Columns<member, Part...>& columns, const T& from) {
  for (const auto& entry : from.*member)
    core::each_row(columns.parts,
                   [&](const auto& part) { object[part.name.text].push_back(entry.*(part.member)); });
}

/// Adds a key for each row.
template <class... Row, class T>
void put_fields(OrderedJson& object, const std::tuple<Row...>& rows, const T& from) {
  core::each_row(rows, [&](const auto& row) { put_row(object, row, from); });
}

template <core::Described T>
OrderedJson json_of(const T& value) {
  OrderedJson object = OrderedJson::object();
  put_fields(object, fields_of(core::Type<T>()), value);
  return object;
}

}  // namespace assay::results
