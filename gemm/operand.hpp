// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The values of an operand: each element follows from seed and position alone, bit for bit the same on host
// and device and on every machine, so that a check needs no copy of the operand and equal GPUs can be
// compared.
#pragma once

#include <cstdint>

#include "gemm/problem.hpp"
#include "harness/core/number_formats.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::gemm {

enum class Data { normal, uniform, zeros, constant, integer };

/// Everything an element depends on besides its position; plain data, passed to kernels by value.
struct OperandRecipe {
  Data data = Data::normal;
  Dtype dtype = Dtype::bf16;
  std::uint64_t seed = 0;
  double scale = 1;             // values are multiplied by it before the cast (fp8, int8)
  std::uint32_t density = 0;    // integer data: elements of 2^16 that are not zero
  std::uint32_t magnitude = 1;  // integer data: largest absolute value
};

struct Element {
  std::uint64_t bits = 0;
  bool saturated = false;
};

using integrity::mix;
using integrity::position_hash;

/// Entries of the table of normal quantiles that `normal` data is drawn from.
inline constexpr int normal_table_size = 65536;

/// The value before scale and cast. `table` holds normal_table_size floats, see normal_table().
constexpr double raw_value(const OperandRecipe& recipe, const float* table, std::uint64_t position) {
  const std::uint64_t hash = position_hash(recipe.seed, position);
  switch (recipe.data) {
    case Data::normal:
      // The table gives 16 bits; the low bits widen them by up to 2^-12, so that wide types have full
      // mantissas too. The inner product is exact: fused or not, the sum rounds the same.
      return static_cast<double>(table[hash >> 48]) *
             (1.0 + static_cast<double>(hash & 0xfffffffffULL) * 0x1p-48);
    case Data::uniform:
      return static_cast<double>(hash >> 11) * 0x1p-52 - 1.0;  // [-1, 1)
    case Data::zeros:
      return 0.0;
    case Data::constant:
      return 0.5;
    case Data::integer:
      break;
  }
  if ((hash & 0xffffULL) >= recipe.density) return 0.0;
  const auto magnitude = static_cast<double>(1 + (hash >> 32) % recipe.magnitude);
  return ((hash >> 16) & 1ULL) != 0 ? magnitude : -magnitude;
}

constexpr Element to_int8(double value) {
  const double shifted = value + 0.5;
  auto rounded = static_cast<std::int64_t>(shifted);
  if (static_cast<double>(rounded) > shifted) --rounded;  // floor
  const bool saturated = rounded > 127 || rounded < -127;
  if (rounded > 127) rounded = 127;
  if (rounded < -127) rounded = -127;
  return {static_cast<std::uint8_t>(rounded), saturated};
}

constexpr Element operand_element(const OperandRecipe& recipe, const float* table, std::uint64_t position) {
  const double value = raw_value(recipe, table, position) * recipe.scale;
  const float narrow = static_cast<float>(value);
  switch (recipe.dtype) {
    case Dtype::fp64:
      return {std::bit_cast<std::uint64_t>(value)};
    case Dtype::fp32:
      return {std::bit_cast<std::uint32_t>(narrow)};
    case Dtype::tf32:
      return {std::bit_cast<std::uint32_t>(core::to_tf32(narrow))};
    case Dtype::bf16:
      return {core::to_bf16(narrow)};
    case Dtype::fp16:
      return {core::to_fp16(narrow)};
    case Dtype::fp8_e4m3:
      return {core::to_e4m3(narrow), narrow > core::e4m3_max || narrow < -core::e4m3_max};
    case Dtype::int8:
      break;
  }
  return to_int8(value);
}

/// The number those bits stand for; the scale is not taken out again.
constexpr double decode(Dtype dtype, std::uint64_t bits) {
  switch (dtype) {
    case Dtype::fp64:
      return std::bit_cast<double>(bits);
    case Dtype::fp32:
    case Dtype::tf32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Dtype::bf16:
      return static_cast<double>(core::from_bf16(static_cast<std::uint16_t>(bits)));
    case Dtype::fp16:
      return static_cast<double>(core::from_fp16(static_cast<std::uint16_t>(bits)));
    case Dtype::fp8_e4m3:
      return static_cast<double>(core::from_e4m3(static_cast<std::uint8_t>(bits)));
    case Dtype::int8:
      break;
  }
  return static_cast<double>(static_cast<std::int8_t>(bits));
}

constexpr double decode(OutputType type, std::uint64_t bits) {
  switch (type) {
    case OutputType::fp64:
      return decode(Dtype::fp64, bits);
    case OutputType::fp32:
      return decode(Dtype::fp32, bits);
    case OutputType::bf16:
      return decode(Dtype::bf16, bits);
    case OutputType::fp16:
      return decode(Dtype::fp16, bits);
    case OutputType::int32:
      break;
  }
  return static_cast<double>(static_cast<std::int32_t>(bits));
}

/// The bits of a number as a result holds it. A whole number must fit in an int32.
constexpr std::uint64_t encode(OutputType type, double value) {
  switch (type) {
    case OutputType::fp64:
      return std::bit_cast<std::uint64_t>(value);
    case OutputType::fp32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case OutputType::bf16:
      return core::to_bf16(static_cast<float>(value));
    case OutputType::fp16:
      return core::to_fp16(static_cast<float>(value));
    case OutputType::int32:
      break;
  }
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

}  // namespace assay::gemm
