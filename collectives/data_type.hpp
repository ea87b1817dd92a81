// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Data types and reduction operators, and the one function that reduces on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/core/number_formats.hpp"

namespace assay::collectives {

enum class DataType { fp32, fp64, bf16, fp16, fp8_e4m3, fp8_e5m2, int8, int32, int64 };
enum class Operator { sum, prod, min, max, avg };

std::string_view to_text(DataType type);       // "fp32"
std::string_view to_text(Operator reduction);  // "sum"
/// Throw a usage Error naming what there is.
DataType data_type_from(std::string_view text);
Operator operator_from(std::string_view text);
const std::vector<DataType>& data_types();
const std::vector<Operator>& operators();

std::int64_t bytes_of(DataType type);
constexpr bool is_fp8(DataType type) { return type == DataType::fp8_e4m3 || type == DataType::fp8_e5m2; }
/// Narrower than a float: MPI and the host's processor do not compute in it.
constexpr bool is_narrow_float(DataType type) {
  return is_fp8(type) || type == DataType::bf16 || type == DataType::fp16;
}

/// Calls `body` with a value of the C++ type, to be deduced: with_type(type, [&](auto zero) {...}).
template <class Body>
decltype(auto) with_type(DataType type, Body&& body) {
  switch (type) {
    case DataType::fp64:
      return body(double{});
    case DataType::bf16:
      return body(core::Bf16{});
    case DataType::fp16:
      return body(core::Fp16{});
    case DataType::fp8_e4m3:
      return body(core::E4m3{});
    case DataType::fp8_e5m2:
      return body(core::E5m2{});
    case DataType::int8:
      return body(std::int8_t{});
    case DataType::int32:
      return body(std::int32_t{});
    case DataType::int64:
      return body(std::int64_t{});
    case DataType::fp32:
      break;
  }
  return body(float{});
}

/// Whether T is a number to the compiler; else it is bits that convert to float and back.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T>;

/// A whole number as an element, rounded where the type does not hold it.
template <class T>
T element_of(std::int64_t whole) {
  if constexpr (is_number<T>)
    return static_cast<T>(whole);
  else
    return T(static_cast<float>(whole));
}

/// An element as what fmt and streams write.
template <class T>
auto printed(T element) {
  if constexpr (is_number<T>)
    return element;
  else
    return static_cast<float>(element);
}

/// A sum over `ranks` as their mean: rounded to nearest even, of whole numbers towards 0.
template <class T>
T mean_of(T sum, int ranks) {
  if constexpr (is_number<T>)
    return static_cast<T>(sum / static_cast<T>(ranks));
  else
    return T(static_cast<float>(sum) / static_cast<float>(ranks));
}

/// into[i] = into[i] (operator) from[i], for `count` elements, which must not overlap. Integers wrap around;
/// narrow floats are reduced as floats and rounded to nearest even. avg adds: average() is its last step.
void reduce_into(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                 std::int64_t count);

/// into[i] = mean_of(into[i], ranks).
void average(DataType type, int ranks, std::byte* into, std::int64_t count);

}  // namespace assay::collectives
