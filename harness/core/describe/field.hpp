// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The description of a type's fields: one row a field, next to the type. Readers, writers and schemas go over
// these rows, so that a new field is its member and its row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/words.hpp"

namespace assay::core {

/// A type whose fields_of(Type<T>()) is the tuple of its rows.
template <class T>
concept Described = requires { fields_of(Type<T>()); };

/// A name as an argument of a template.
template <std::size_t size>
struct FieldName {
  char text[size] = {};
  consteval FieldName(const char (&name)[size]) { std::copy_n(name, size, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};

/// Values that a field may have, beyond its type.
struct Terms {
  enum class Form { any, not_empty, utc_time, object };

  std::string_view about = {};  // for readers of the schema
  Form form = Form::any;
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool excludes_lowest = false, excludes_highest = false;
  std::span<const std::string_view> words = {};  // of a text; empty: any
  bool may_be_absent = false;                    // written only where it holds something

  constexpr Terms saying(std::string_view text) const {
    Terms terms = *this;
    terms.about = text;
    return terms;
  }
  constexpr Terms where_known() const {
    Terms terms = *this;
    terms.may_be_absent = true;
    return terms;
  }
};

inline constexpr Terms any_value;
inline constexpr Terms identity{.form = Terms::Form::not_empty};
inline constexpr Terms utc_time{.form = Terms::Form::utc_time};
inline constexpr Terms from_zero{.lowest = 0};
inline constexpr Terms from_one{.lowest = 1};
inline constexpr Terms above_zero{.lowest = 0, .excludes_lowest = true};
inline constexpr Terms share{.lowest = 0, .highest = 1};

/// NaN, unknown, is below no bound; a range with two ends does not hold it.
constexpr bool allows(const Terms& terms, double value) {
  if (terms.excludes_lowest && value == terms.lowest) return false;
  if (terms.excludes_highest && value == terms.highest) return false;
  const bool is_range = terms.highest < std::numeric_limits<double>::infinity();
  return is_range ? value >= terms.lowest && value <= terms.highest : !(value < terms.lowest);
}

/// "2026-11-29T08:30:00Z", with or without a fraction of the second.
constexpr bool is_utc_time(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  if (text.size() <= form.size() || text.back() != 'Z') return false;
  for (std::size_t at = 0; at < form.size(); ++at)
    if (form[at] == 'd' ? !is_digit(text[at]) : text[at] != form[at]) return false;
  const std::string_view fraction = text.substr(form.size(), text.size() - form.size() - 1);
  return fraction.empty() ||
         (fraction[0] == '.' && fraction.size() > 1 && std::ranges::all_of(fraction.substr(1), is_digit));
}

constexpr bool allows(const Terms& terms, std::string_view text) {
  if (!terms.words.empty() && std::ranges::find(terms.words, text) == terms.words.end()) return false;
  if (terms.form == Terms::Form::utc_time) return is_utc_time(text);
  return terms.form != Terms::Form::not_empty || !text.empty();
}

/// One member of a type under its name in files.
template <FieldName name_, auto member_>
struct Field {
  static constexpr auto name = name_;
  static constexpr auto member = member_;

  Terms terms = {};
};

/// An object in files whose parts are members of the outer type.
template <FieldName name_, class... Part>
struct Group {
  static constexpr auto name = name_;

  std::tuple<Part...> parts;
};

template <FieldName name, class... Part>
constexpr Group<name, Part...> group(Part... parts) {
  return {std::tuple(parts...)};
}

/// A list of entries that files hold as one list a member of an entry. Absent where there are no entries.
template <auto member_, class... Part>
struct Columns {
  static constexpr auto member = member_;

  std::tuple<Part...> parts;
};

template <auto member, class... Part>
constexpr Columns<member, Part...> columns(Part... parts) {
  return {std::tuple(parts...)};
}

/// Type<Value> of a pointer to a member that is a Value.
template <class Owner, class Value>
constexpr Type<Value> value_of(Value Owner::*) {
  return {};
}

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

/// Calls `visit` with each row in turn.
template <class... Row, class Visit>
constexpr void each_row(const std::tuple<Row...>& rows, const Visit& visit) {
  std::apply([&](const Row&... row) { (visit(row), ...); }, rows);
}

/// Names of all rows.
template <class... Row>
std::vector<std::string_view> names_of(const std::tuple<Row...>& rows) {
  std::vector<std::string_view> names;
  each_row(rows, [&](const auto& row) { names.push_back(row.name.view()); });
  return names;
}

/// Names of the rows that files must have.
template <class... Row>
std::vector<std::string_view> required_names_of(const std::tuple<Row...>& rows) {
  std::vector<std::string_view> names;
  each_row(rows, [&](const auto& row) {
    if (!row.terms.may_be_absent) names.push_back(row.name.view());
  });
  return names;
}

}  // namespace assay::core
