// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A 64-bit number mixed so that each bit of the result depends on each bit of the number: the ideal hash.
#pragma once

#include <cstdint>

namespace assay::core {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators", with Stafford's thirteenth variant of the constants), after the generator's own increment, so
/// that 0 is mixed as well.
constexpr std::uint64_t mix64(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace assay::core
