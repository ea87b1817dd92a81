// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads and writes the keys of what has a description (harness/core/describe/field.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/describe/field.hpp"
#include "model/json/json_keys.hpp"

namespace assay::model {

inline void read_value(const JsonKeys& keys, std::string_view key, const core::Terms&, bool& into) {
  into = keys.flag(key);
}
template <std::integral Whole>
void read_value(const JsonKeys& keys, std::string_view key, const core::Terms& terms, Whole& into) {
  into = static_cast<Whole>(keys.whole(key, terms.lowest >= 1 ? 1 : 0));
}
inline void read_value(const JsonKeys& keys, std::string_view key, const core::Terms& terms, double& into) {
  into = terms.excludes_lowest ? keys.above_zero(key) : keys.number(key);
}
template <class Enum>
  requires std::is_enum_v<Enum>
void read_value(const JsonKeys& keys, std::string_view key, const core::Terms&, Enum& into) {
  into = static_cast<Enum>(keys.one_of(key, words_for(core::Type<Enum>()).words));
}
/// A list of whole numbers.
inline void read_value(const JsonKeys& keys, std::string_view key, const core::Terms& terms,
                       std::vector<std::int64_t>& into) {
  const JsonValue list = keys.list(key);
  into.clear();
  for (const JsonValue each : list) {
    if (each.kind() != JsonKind::whole || static_cast<double>(each.get<std::int64_t>()) < terms.lowest)
      keys.fail(key, "a list of whole numbers", each);
    into.push_back(each.get<std::int64_t>());
  }
}

template <class Value>
void read_value(const JsonKeys& keys, std::string_view key, const core::Terms& terms,
                std::optional<Value>& into) {
  read_value(keys, key, terms, into.emplace());
}

enum class Keys { required, optional };

/// Reads the keys that files must have, or those of the others that are there. Throws a usage Error that
/// names file and key.
template <core::Described T>
void read_fields(const JsonKeys& keys, Keys which, T& into) {
  static constexpr auto rows = fields_of(core::Type<T>());
  core::each_row(rows, [&](const auto& row) {
    if (row.terms.may_be_absent != (which == Keys::optional)) return;
    if (which == Keys::required || keys.has(row.name.view()))
      read_value(keys, row.name.view(), row.terms, into.*(row.member));
  });
}

template <class Value>
nlohmann::json written(const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return core::word_of(value);
  else
    return value;
}
/// Only values that differ from the usual none are written.
template <class Value>
nlohmann::json written(const std::optional<Value>& value) {
  return value ? written(*value) : nlohmann::json();
}

/// All keys that files must have, and the others whose values are not those of `usual`.
template <core::Described T>
nlohmann::json json_of(const T& from, const T& usual) {
  nlohmann::json json;
  core::each_row(fields_of(core::Type<T>()), [&](const auto& row) {
    const auto& value = from.*(row.member);
    if (row.terms.may_be_absent && value == usual.*(row.member)) return;
    json[row.name.text] = written(value);
  });
  return json;
}

}  // namespace assay::model
