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

namespace assay::collectives {

enum class DataType { int32, int64, float32, float64 };
enum class Operator { sum, prod, min, max };

std::string_view to_text(DataType type);       // "float32"
std::string_view to_text(Operator reduction);  // "sum"
/// Throw a usage Error naming what there is.
DataType data_type_from(std::string_view text);
Operator operator_from(std::string_view text);
const std::vector<DataType>& data_types();
const std::vector<Operator>& operators();

std::int64_t bytes_of(DataType type);

/// Calls `body` with a value of the C++ type, to be deduced: with_type(type, [&](auto zero) {...}).
template <class Body>
decltype(auto) with_type(DataType type, Body&& body) {
  switch (type) {
    case DataType::int32:
      return body(std::int32_t{});
    case DataType::int64:
      return body(std::int64_t{});
    case DataType::float32:
      return body(float{});
    case DataType::float64:
      break;
  }
  return body(double{});
}

/// into[i] = into[i] (operator) from[i], for `count` elements, which must not overlap. Integers wrap around.
void reduce_into(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                 std::int64_t count);

}  // namespace assay::collectives
