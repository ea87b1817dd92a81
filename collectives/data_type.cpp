// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/data_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

constexpr std::array<std::string_view, 9> type_names{"fp32",     "fp64", "bf16",  "fp16", "fp8_e4m3",
                                                     "fp8_e5m2", "int8", "int32", "int64"};    // by DataType
constexpr std::array<std::string_view, 5> operator_names{"sum", "prod", "min", "max", "avg"};  // by Operator

template <class Value, class Names>
Value value_named(const Names& names, std::string_view what, std::string_view text) {
  const auto* const found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<Value>(found - names.begin());
  core::usage_error(fmt::format("{} '{}': expected {}", what, text, fmt::join(names, ", ")));
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
  requires(!is_number<T>)
void reduce_typed(Operator reduction, T* into, const T* from, std::int64_t count) {
  const auto in_float = [&](auto combine) {
    combine_all(into, from, count,
                [&](T a, T b) { return T(combine(static_cast<float>(a), static_cast<float>(b))); });
  };
  switch (reduction) {
    case Operator::sum:
    case Operator::avg:
      return in_float([](float a, float b) { return a + b; });
    case Operator::prod:
      return in_float([](float a, float b) { return a * b; });
    case Operator::min:
      return in_float([](float a, float b) { return b < a ? b : a; });
    case Operator::max:
      return in_float([](float a, float b) { return a < b ? b : a; });
  }
}

template <class T>
  requires is_number<T>
void reduce_typed(Operator reduction, T* into, const T* from, std::int64_t count) {
  using A = Arithmetic<T>;
  switch (reduction) {
    case Operator::sum:
    case Operator::avg:
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

std::string_view to_text(DataType type) { return type_names[static_cast<std::size_t>(type)]; }
std::string_view to_text(Operator reduction) { return operator_names[static_cast<std::size_t>(reduction)]; }

DataType data_type_from(std::string_view text) {
  return value_named<DataType>(type_names, "data type", text);
}
Operator operator_from(std::string_view text) {
  return value_named<Operator>(operator_names, "operator", text);
}

const std::vector<DataType>& data_types() {
  using enum DataType;
  static const std::vector all{fp32, fp64, bf16, fp16, fp8_e4m3, fp8_e5m2, int8, int32, int64};
  return all;
}
const std::vector<Operator>& operators() {
  using enum Operator;
  static const std::vector all{sum, prod, min, max, avg};
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

void average(DataType type, int ranks, std::byte* into, std::int64_t count) {
  with_type(type, [&](auto zero) {
    auto* const sums = reinterpret_cast<decltype(zero)*>(into);
    for (std::int64_t i = 0; i < count; ++i) sums[i] = mean_of(sums[i], ranks);
  });
}

}  // namespace assay::collectives
