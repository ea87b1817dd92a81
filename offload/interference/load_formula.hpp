// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The values in the operands of a product and of a triad on a GPU: whole numbers that follow from the
// position, on host and device alike, so that results can be foretold exactly.
#pragma once

#include <bit>
#include <cstdint>

#include "harness/integrity/digest.hpp"

namespace assay::offload {

/// From -127 to 127, bell-shaped: four random bytes added up, less their mean, over 4. bf16 holds them
/// exactly. A sum of 32768 products of two deviates from 0 by 37^2 sqrt(32768), a quarter of a million: 2^24,
/// below which fp32 adds whole numbers exactly in any order, is sixty times that.
constexpr int operand_value(std::uint64_t seed, std::uint64_t position) {
  const std::uint64_t hash = integrity::random_number(seed, position);
  const int sum = static_cast<int>((hash & 255) + ((hash >> 16) & 255) + ((hash >> 32) & 255) + (hash >> 56));
  return (sum - 510) / 4;
}

inline constexpr std::uint64_t seed_of_a = 1, seed_of_b = 2;

/// Rounded to nearest, ties to even. `value` below 2^24 in magnitude.
constexpr std::uint16_t bf16_bits(std::int32_t value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

constexpr float triad_a(std::uint64_t position) { return static_cast<float>(position % 1021); }
constexpr float triad_b(std::uint64_t position) { return static_cast<float>(position % 509); }
/// Element of c = a + 3 b.
constexpr float triad_c(std::uint64_t position) { return triad_a(position) + 3 * triad_b(position); }

}  // namespace assay::offload
