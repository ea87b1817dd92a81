// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/data_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

constexpr std::array<std::pair<DataType, std::string_view>, 4> type_names{{{DataType::int32, "int32"},
                                                                           {DataType::int64, "int64"},
                                                                           {DataType::float32, "float32"},
                                                                           {DataType::float64, "float64"}}};
constexpr std::array<std::pair<Operator, std::string_view>, 4> operator_names{
    {{Operator::sum, "sum"}, {Operator::prod, "prod"}, {Operator::min, "min"}, {Operator::max, "max"}}};

template <class Table>
auto value_named(const Table& table, std::string_view what, std::string_view text) {
  std::vector<std::string_view> known;
  for (const auto& [value, name] : table) {
    if (name == text) return value;
    known.push_back(name);
  }
  core::usage_error(fmt::format("{} '{}': expected {}", what, text, fmt::join(known, ", ")));
}

template <class Table>
auto values_of(const Table& table) {
  std::vector<std::remove_const_t<decltype(table[0].first)>> values;
  for (const auto& entry : table) values.push_back(entry.first);
  return values;
}

/// Signed overflow is undefined, so integers are added and multiplied unsigned.
template <class T>
using Arithmetic =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T, class Combine>
void combine_all(T* __restrict into, const T* __restrict from, std::int64_t count, Combine combine) {
  for (std::int64_t i = 0; i < count; ++i) into[i] = combine(into[i], from[i]);
}

template <class T>
void reduce_typed(Operator reduction, T* into, const T* from, std::int64_t count) {
  using A = Arithmetic<T>;
  switch (reduction) {
    case Operator::sum:
      return combine_all(into, from, count,
                         [](T a, T b) { return static_cast<T>(static_cast<A>(a) + static_cast<A>(b)); });
    case Operator::prod:
      return combine_all(into, from, count,
                         [](T a, T b) { return static_cast<T>(static_cast<A>(a) * static_cast<A>(b)); });
    case Operator::min:
      return combine_all(into, from, count, [](T a, T b) { return b < a ? b : a; });
    case Operator::max:
      return combine_all(into, from, count, [](T a, T b) { return a < b ? b : a; });
  }
}

}  // namespace

std::string_view to_text(DataType type) {
  return std::ranges::find(type_names, type, &std::pair<DataType, std::string_view>::first)->second;
}
std::string_view to_text(Operator reduction) {
  return std::ranges::find(operator_names, reduction, &std::pair<Operator, std::string_view>::first)->second;
}

DataType data_type_from(std::string_view text) { return value_named(type_names, "data type", text); }
Operator operator_from(std::string_view text) { return value_named(operator_names, "operator", text); }

const std::vector<DataType>& data_types() {
  static const std::vector<DataType> all = values_of(type_names);
  return all;
}
const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = values_of(operator_names);
  return all;
}

std::int64_t bytes_of(DataType type) {
  return with_type(type, [](auto zero) { return static_cast<std::int64_t>(sizeof zero); });
}

void reduce_into(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                 std::int64_t count) {
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    reduce_typed(reduction, reinterpret_cast<T*>(into), reinterpret_cast<const T*>(from), count);
  });
}

}  // namespace assay::collectives
