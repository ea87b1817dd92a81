// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point read in the order in which to_line() writes it, into a PointRecord or a PointRow: the rows of the
// description in turn. Private to results/record.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "results/record/json/json_cursor.hpp"
#include "results/record/json/point_line.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results {

/// The beginning of a point's line as to_line() writes it; another schema is read elsewhere.
constexpr std::string_view beginning_of_point = R"({"record":"point","schema":2)";
static_assert(schema_version == 2);

// take(at, terms, type, into) reads a value of that type of a record into a record or a row; pass(at, terms,
// type) skips it.

template <class Kept>
void take(JsonCursor& at, const core::Terms& terms, core::Type<std::string>, Kept& into) {
  const std::string_view text = at.text();
  if (!core::allows(terms, text)) at.refuse();
  into = text;
}
template <std::integral Whole>
  requires(!std::same_as<Whole, bool>)
void take(JsonCursor& at, const core::Terms& terms, core::Type<Whole>, Whole& into) {
  const std::int64_t value = at.integer();
  if (!std::in_range<Whole>(value) || !core::allows(terms, static_cast<double>(value))) at.refuse();
  into = static_cast<Whole>(value);
}
inline void take(JsonCursor& at, const core::Terms& terms, core::Type<double>, double& into) {
  into = at.number();
  if (!core::allows(terms, into)) at.refuse();
}
inline void take(JsonCursor& at, const core::Terms&, core::Type<bool>, bool& into) { into = at.boolean(); }
inline void take(JsonCursor& at, const core::Terms&, core::Type<std::optional<double>>,
                 std::optional<double>& into) {
  const double value = at.number();
  if (!std::isnan(value)) into = value;
}
template <class Enum>
  requires std::is_enum_v<Enum>
void take(JsonCursor& at, const core::Terms&, core::Type<Enum>, Enum& into) {
  constexpr auto words = words_for(core::Type<Enum>());
  if (const std::optional<Enum> value = words.named(at.text()))
    into = *value;
  else
    at.refuse();
}
void take(JsonCursor& at, const core::Terms& terms, core::Type<Fields>, Fields& into);
inline void take(JsonCursor& at, const core::Terms&, core::Type<Fields>, FieldsText& into) {
  into.json = at.fields();
}
template <class Numbers>
void take(JsonCursor& at, const core::Terms&, core::Type<std::vector<double>>, Numbers& into) {
  at.numbers(into);
}
template <core::Described T, class Kept>
void take(JsonCursor& at, const core::Terms&, core::Type<T>, Kept& into);
template <core::Described T, class Kept>
void take(JsonCursor& at, const core::Terms& terms, core::Type<std::optional<T>>, std::optional<Kept>& into) {
  take(at, terms, core::Type<T>(), into.emplace());
}
/// A list that may be absent is not there where it is empty.
template <class Part, class Parts>
void take(JsonCursor& at, const core::Terms& terms, core::Type<std::vector<Part>>, Parts& into) {
  if (!terms.may_be_absent && at.has("[]")) return;
  at.take('[');
  do {
    take(at, terms, core::Type<Part>(), into.emplace_back());
  } while (at.has(','));
  at.take(']');
}

template <class Value>
void pass(JsonCursor& at, const core::Terms& terms, core::Type<Value> type) {
  Value value{};
  take(at, terms, type, value);
}
inline void pass(JsonCursor& at, const core::Terms& terms, core::Type<std::string> type) {
  std::string_view text;
  take(at, terms, type, text);
}
inline void pass(JsonCursor& at, const core::Terms& terms, core::Type<double> type) {
  if (!std::isfinite(terms.lowest)) return at.pass_number();
  double value = 0;
  take(at, terms, type, value);
}
inline void pass(JsonCursor& at, const core::Terms&, core::Type<std::optional<double>>) { at.pass_number(); }
inline void pass(JsonCursor& at, const core::Terms&, core::Type<Fields>) { at.fields(); }
/// Keeps no member.
struct NothingKept {};
template <core::Described T>
void pass(JsonCursor& at, const core::Terms& terms, core::Type<T> type) {
  NothingKept nothing;
  take(at, terms, type, nothing);
}

/// The member of a record or row that keeps a record's member; null where there is none.
template <class Kept, auto member>
constexpr auto member_kept() {
  if constexpr (std::invocable<decltype(member), Kept&>)
    return member;
  else if constexpr (std::invocable<decltype(kept_in_row<member>), Kept&>)
    return kept_in_row<member>;
  else
    return nullptr;
}

template <core::FieldName name, auto member, class Kept>
void take_row(JsonCursor& at, const core::Field<name, member>& field, Kept& into) {
  using Value = typename decltype(core::value_of(member))::type;
  if (core::is_optional<Value> || field.terms.may_be_absent) {
    if (!at.has_key(name.text)) return;
  } else {
    at.key(name.text);
  }
  constexpr auto kept = member_kept<Kept, member>();
  if constexpr (std::is_null_pointer_v<decltype(kept)>)
    pass(at, field.terms, core::Type<Value>());
  else
    take(at, field.terms, core::Type<Value>(), into.*kept);
}
template <core::FieldName name, class... Part, class Kept>
void take_row(JsonCursor& at, const core::Group<name, Part...>& group, Kept& into) {
  at.key(name.text).take('{');
  core::each_row(group.parts, [&](const auto& part) { take_row(at, part, into); });
  at.take('}');
}
template <auto member, class... Part, class Kept>
void take_row(JsonCursor& at, const core::Columns<member, Part...>& columns, Kept& into) {
  if (!at.has_key(std::get<0>(columns.parts).name.text)) return;
  bool is_first = true;
  core::each_row(columns.parts, [&](const auto& part) {
    std::vector<std::int64_t> values;
    if (!is_first) at.key(part.name.text);
    take(at, part.terms, core::Type<std::vector<std::int64_t>>(), values);
    if (is_first) (into.*member).resize(values.size());
    is_first = false;
    if (values.size() != (into.*member).size()) return at.refuse();
    for (std::size_t i = 0; i < values.size(); ++i) (into.*member)[i].*(part.member) = values[i];
  });
}

/// `rows` are static: tables that the compiler knows, so that terms without a condition cost nothing.
template <class... Row, class Kept>
void take_rows(JsonCursor& at, const std::tuple<Row...>& rows, Kept& into) {
  core::each_row(rows, [&](const auto& row) { take_row(at, row, into); });
}

template <core::Described T, class Kept>
void take(JsonCursor& at, const core::Terms&, core::Type<T>, Kept& into) {
  static constexpr auto rows = fields_of(core::Type<T>());
  at.take('{');
  take_rows(at, rows, into);
  at.take('}');
}

/// All but the samples, which only a measured point has.
template <class Point>
void take_point(JsonCursor& at, Point& point) {
  static constexpr auto identity = identity_fields(core::Type<PointRecord>());
  static constexpr auto measurement = measurement_fields(core::Type<PointRecord>());
  at.take(beginning_of_point);
  take_rows(at, identity, point);
  if (!at.good()) return;
  if (is_measured(point.status)) return take_rows(at, measurement, point);
  if (point.reason.empty()) at.refuse();
  if (at.has_key("conditions")) take(at, core::any_value, core::Type<Fields>(), point.conditions);
}

template <class Point>
void take_samples(JsonCursor& at, Point& point) {
  static constexpr auto samples = sample_fields(core::Type<PointRecord>());
  if (is_measured(point.status)) take_rows(at, samples, point);
}

}  // namespace assay::results
