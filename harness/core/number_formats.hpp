// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Narrow number formats bit by bit, the same on host and device: bf16, fp16, fp8 e4m3 and e5m2, tf32, rounded
// to nearest even. Constexpr, so that kernels call the very code the checks use.
#pragma once

#include <bit>
#include <cstdint>

namespace assay::core {

/// IEEE-like layout: 1 sign bit, `exponent` bits, `mantissa` bits.
struct FloatFormat {
  int exponent = 0, mantissa = 0;
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
};
inline constexpr FloatFormat fp16_format{5, 10};
inline constexpr FloatFormat e4m3_format{4, 3};
inline constexpr FloatFormat e5m2_format{5, 2};

inline constexpr float e4m3_max = 448.0F;

/// Magnitude of a finite x as exponent and mantissa field of `format`, a carry running on into the exponent;
/// beyond the format's range it exceeds every finite encoding, which the caller must handle.
constexpr std::uint32_t round_magnitude(FloatFormat format, float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0x7fffffffU;
  const int exponent = static_cast<int>(bits >> 23) - 127;
  if (exponent == -127)
    return 0;  // zero, or a float subnormal: below half of any format's smallest step here
  const int smallest = 1 - format.bias();
  const std::uint32_t significand = (bits & 0x7fffffU) | 0x800000U;
  const int shift = 23 - format.mantissa + (exponent < smallest ? smallest - exponent : 0);
  if (shift > 24) return 0;
  std::uint32_t rounded = significand >> shift;
  const std::uint32_t rest = significand & ((1U << shift) - 1U), half = 1U << (shift - 1);
  if (rest > half || (rest == half && (rounded & 1U) != 0)) ++rounded;
  if (exponent < smallest) return rounded;
  return (static_cast<std::uint32_t>(exponent + format.bias()) << format.mantissa) + rounded -
         (1U << format.mantissa);
}

constexpr float decode_magnitude(FloatFormat format, std::uint32_t magnitude) {
  const std::uint32_t field = magnitude >> format.mantissa;
  const std::uint32_t mantissa = magnitude & ((1U << format.mantissa) - 1U);
  const int scale = field == 0 ? 1 : static_cast<int>(field);
  const auto power = [](int exponent) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
  };
  const std::uint32_t significand = mantissa + (field == 0 ? 0U : 1U << format.mantissa);
  return static_cast<float>(significand) * power(scale - format.bias() - format.mantissa);
}

constexpr bool is_nan_bits(std::uint32_t bits) { return (bits & 0x7fffffffU) > 0x7f800000U; }

constexpr std::uint16_t to_bf16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if (is_nan_bits(bits)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

constexpr float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t to_fp16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  if (is_nan_bits(bits)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  const std::uint32_t magnitude =
      (bits & 0x7fffffffU) >= 0x7f800000U ? 0x7c00U : round_magnitude(fp16_format, x);
  return static_cast<std::uint16_t>(sign | (magnitude > 0x7c00U ? 0x7c00U : magnitude));
}

constexpr float from_fp16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13));
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(decode_magnitude(fp16_format, magnitude)));
}

/// Saturates at 448, as the hardware's satfinite conversion does; there is no infinity in e4m3.
constexpr std::uint8_t to_e4m3(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  if (is_nan_bits(bits)) return static_cast<std::uint8_t>(sign | 0x7fU);
  const std::uint32_t magnitude =
      (bits & 0x7fffffffU) >= 0x7f800000U ? 0x7eU : round_magnitude(e4m3_format, x);
  return static_cast<std::uint8_t>(sign | (magnitude > 0x7eU ? 0x7eU : magnitude));
}

constexpr float from_e4m3(std::uint8_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x80U) << 24, magnitude = bits & 0x7fU;
  if (magnitude == 0x7fU) return std::bit_cast<float>(sign | 0x7fc00000U);
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(decode_magnitude(e4m3_format, magnitude)));
}

/// Saturates at 57344, as the hardware's satfinite conversion does.
constexpr std::uint8_t to_e5m2(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  if (is_nan_bits(bits)) return static_cast<std::uint8_t>(sign | 0x7fU);
  const std::uint32_t magnitude =
      (bits & 0x7fffffffU) >= 0x7f800000U ? 0x7bU : round_magnitude(e5m2_format, x);
  return static_cast<std::uint8_t>(sign | (magnitude > 0x7bU ? 0x7bU : magnitude));
}

/// e5m2 is the upper half of fp16, infinity and NaN included.
constexpr float from_e5m2(std::uint8_t bits) { return from_fp16(static_cast<std::uint16_t>(bits << 8)); }

/// A float with the ten mantissa bits of tf32, so that no library has anything left to round. x must be
/// finite.
constexpr float to_tf32(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0xfffU + ((bits >> 13) & 1U)) & 0xffffe000U);
}

/// Elements of arrays: bits that convert to float and back.
struct Bf16 {
  std::uint16_t bits = 0;
  constexpr Bf16() = default;
  constexpr explicit Bf16(float x) : bits(to_bf16(x)) {}
  constexpr explicit operator float() const { return from_bf16(bits); }
};
struct Fp16 {
  std::uint16_t bits = 0;
  constexpr Fp16() = default;
  constexpr explicit Fp16(float x) : bits(to_fp16(x)) {}
  constexpr explicit operator float() const { return from_fp16(bits); }
};
struct E4m3 {
  std::uint8_t bits = 0;
  constexpr E4m3() = default;
  constexpr explicit E4m3(float x) : bits(to_e4m3(x)) {}
  constexpr explicit operator float() const { return from_e4m3(bits); }
};
struct E5m2 {
  std::uint8_t bits = 0;
  constexpr E5m2() = default;
  constexpr explicit E5m2(float x) : bits(to_e5m2(x)) {}
  constexpr explicit operator float() const { return from_e5m2(bits); }
};

}  // namespace assay::core
