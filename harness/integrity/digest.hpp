// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A digest of many elements that does not depend on the order they are visited in: sums modulo 2^64 of terms
// that mix position and bits of each. The same arithmetic on host and device.
#pragma once

#include <cstdint>
#include <string>

namespace assay::integrity {

/// A bijection on 64 bits whose output bits all depend on all input bits (the finalizer of SplitMix64, Steele
/// et al. 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// 2^64 over the golden ratio: its multiples spread evenly (Knuth, TAOCP 3, 6.4).
inline constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15ULL;

/// The number at `index` of SplitMix64's stream under `seed`, without the numbers before it.
constexpr std::uint64_t random_number(std::uint64_t seed, std::uint64_t index) {
  return mix(seed + (index + 1) * golden_step);
}

constexpr std::uint64_t position_hash(std::uint64_t seed, std::uint64_t position) {
  return random_number(mix(seed), position);
}

/// 128 bits over (position, bits) of every element.
struct Digest {
  std::uint64_t low = 0, high = 0;
  constexpr bool operator==(const Digest&) const = default;
  constexpr Digest& operator+=(const Digest& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};

constexpr Digest digest_term(std::uint64_t position, std::uint64_t bits) {
  return {mix(bits ^ position_hash(0x6c6f77, position)), mix(bits + position_hash(0x68696768, position))};
}

/// 32 hexadecimal digits.
std::string to_text(const Digest& digest);

}  // namespace assay::integrity
