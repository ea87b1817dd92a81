// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads a table of a TOML file into what has a description (field.hpp): a new key is its member and its row.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/core/text/toml_section.hpp"

namespace assay::core {

/// Reads the keys of all rows. Those that the table lacks keep their value where they may be absent. Refuses
/// keys that are neither a row's nor among `others`, which the caller reads.
template <Described T>
void read_fields(const TomlSection& section, T& into, std::vector<std::string_view> others = {});

/// Values of one type: what complaints call them, and how a key that is there is read.
template <class Value>
struct TomlValue;

template <>
struct TomlValue<bool> {
  static constexpr std::string_view kind = "true or false";
  static void read(const TomlSection& section, std::string_view key, const Terms& terms, bool& into) {
    into = *section.yes_or_no(key, terms);
  }
};

template <>
struct TomlValue<double> {
  static constexpr std::string_view kind = "a number";
  static void read(const TomlSection& section, std::string_view key, const Terms& terms, double& into) {
    into = *section.number(key, terms);
  }
};

template <>
struct TomlValue<std::string> {
  static constexpr std::string_view kind = "text";
  static void read(const TomlSection& section, std::string_view key, const Terms& terms, std::string& into) {
    into = *section.word(key, terms);
  }
};

template <>
struct TomlValue<std::vector<std::string>> {
  static constexpr std::string_view kind = "text, or a list of texts";
  static void read(const TomlSection& section, std::string_view key, const Terms& terms,
                   std::vector<std::string>& into) {
    into = *section.words(key, terms);
  }
};

/// Within the bounds of the type.
template <std::integral Whole>
struct TomlValue<Whole> {
  static constexpr std::string_view kind = "a whole number";
  static void read(const TomlSection& section, std::string_view key, const Terms& terms, Whole& into) {
    using Bounds = std::numeric_limits<Whole>;
    Terms within = terms;
    if (Bounds::digits < 63 || !std::is_signed_v<Whole>)
      within.lowest = std::max(within.lowest, static_cast<double>(Bounds::min()));
    if (Bounds::digits < 63) within.highest = std::min(within.highest, static_cast<double>(Bounds::max()));
    into = static_cast<Whole>(*section.whole(key, within));
  }
};

template <class Enum>
  requires std::is_enum_v<Enum>
struct TomlValue<Enum> {
  static constexpr std::string_view kind = "a word";
  static void read(const TomlSection& section, std::string_view key, const Terms&, Enum& into) {
    into = *section.choice(key, words_for(Type<Enum>()));
  }
};

template <class Part>
  requires Described<Part> && std::is_class_v<Part>
struct TomlValue<Part> {
  static constexpr std::string_view kind = "a table";
  static void read(const TomlSection& section, std::string_view key, const Terms&, Part& into) {
    read_fields(*section.table(key), into);
  }
};

template <Described Part>
struct TomlValue<std::vector<Part>> {
  static constexpr std::string_view kind = "tables";
  static void read(const TomlSection& section, std::string_view key, const Terms&, std::vector<Part>& into) {
    for (const TomlSection& one : section.tables(key)) read_fields(one, into.emplace_back());
  }
};

template <class Value>
struct TomlValue<std::optional<Value>> : TomlValue<Value> {
  static void read(const TomlSection& section, std::string_view key, const Terms& terms,
                   std::optional<Value>& into) {
    TomlValue<Value>::read(section, key, terms, into.emplace());
  }
};

template <FieldName name, auto member, class T>
void read_row(const TomlSection& section, const Field<name, member>& row, T& into) {
  using Value = std::remove_cvref_t<decltype(into.*member)>;
  const std::string_view key = name.view(), about = row.terms.about;
  if (section.has(key))
    TomlValue<Value>::read(section, key, row.terms, into.*member);
  else if (!row.terms.may_be_absent && !is_optional<Value>)
    section.missing(key, about.empty() ? TomlValue<Value>::kind : about);
}

/// A table that may be absent.
template <FieldName name, class... Part, class T>
void read_row(const TomlSection& section, const Group<name, Part...>& group, T& into) {
  const auto table = section.table(name.view());
  if (!table) return;
  table->allow(names_of(group.parts));
  each_row(group.parts, [&](const auto& part) { read_row(*table, part, into); });
}

template <class... Row, class T>
void read_rows(const TomlSection& section, const std::tuple<Row...>& rows, T& into) {
  each_row(rows, [&](const auto& row) { read_row(section, row, into); });
}

template <Described T>
void read_fields(const TomlSection& section, T& into, std::vector<std::string_view> others) {
  static constexpr auto rows = fields_of(Type<T>());
  std::vector<std::string_view> keys = names_of(rows);
  keys.insert(keys.end(), others.begin(), others.end());
  section.allow(keys);
  read_rows(section, rows, into);
}

}  // namespace assay::core
