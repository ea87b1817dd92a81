// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Elements of matrices as numbers and back, by the formats' definitions.
#pragma once

#include <library_types.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace assay::workload::simulated {

/// The number of a format with a sign, `exponent` bits and `fraction` bits that has no infinities; NaN where
/// all are one (OCP 8-bit Floating Point Specification, E4M3).
inline double small_float(unsigned bits, int exponent, int fraction) {
  const unsigned mask = (1U << (exponent + fraction)) - 1;
  if ((bits & mask) == mask) return std::numeric_limits<double>::quiet_NaN();
  const int bias = (1 << (exponent - 1)) - 1;
  const auto high = static_cast<int>(bits >> fraction & ((1U << exponent) - 1));
  const auto low = static_cast<double>(bits & ((1U << fraction) - 1));
  const double significand = std::ldexp(low, -fraction) + (high == 0 ? 0 : 1);
  const double magnitude = std::ldexp(significand, (high == 0 ? 1 : high) - bias);
  return bits >> (exponent + fraction) != 0 ? -magnitude : magnitude;
}

template <class T>
T load(const void* matrix, std::int64_t index) {
  return static_cast<const T*>(matrix)[index];
}

inline double number_at(const void* matrix, std::int64_t index, cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return load<double>(matrix, index);
    case CUDA_R_32F:
      return load<float>(matrix, index);
    case CUDA_R_16F:
      return static_cast<double>(load<_Float16>(matrix, index));
    case CUDA_R_16BF: {
      const std::uint32_t bits = std::uint32_t{load<std::uint16_t>(matrix, index)} << 16;
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case CUDA_R_8F_E4M3:
      return small_float(load<std::uint8_t>(matrix, index), 4, 3);
    case CUDA_R_8I:
      return load<std::int8_t>(matrix, index);
    case CUDA_R_32I:
      return load<std::int32_t>(matrix, index);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

/// To the nearest, ties to even.
inline std::uint16_t bf16_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value)) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

inline void store_number(void* matrix, std::int64_t index, cudaDataType_t type, double value) {
  switch (type) {
    case CUDA_R_64F:
      static_cast<double*>(matrix)[index] = value;
      return;
    case CUDA_R_32F:
      static_cast<float*>(matrix)[index] = static_cast<float>(value);
      return;
    case CUDA_R_16F:
      static_cast<_Float16*>(matrix)[index] = static_cast<_Float16>(value);
      return;
    case CUDA_R_16BF:
      static_cast<std::uint16_t*>(matrix)[index] = bf16_of(static_cast<float>(value));
      return;
    case CUDA_R_32I:
      static_cast<std::int32_t*>(matrix)[index] = static_cast<std::int32_t>(value);
      return;
    default:
      return;
  }
}

}  // namespace assay::workload::simulated
