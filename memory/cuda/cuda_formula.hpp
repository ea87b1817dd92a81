// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The data of the CUDA memory cases, as functions of position: random-looking bits (constants would hide
// swapped addresses and draw less power) that host and device compute alike, so that every word read back can
// be foretold.
#pragma once

#include <cstdint>

#include "harness/integrity/digest.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::memory {

// Words that did not read back as written are harness/integrity's: here under the names this module uses.
using integrity::describe;
using integrity::listed_mismatches;
using integrity::Mismatch;
using integrity::MismatchLog;

/// 16 bytes of data.
struct Quad {
  std::uint32_t x, y, z, w;
  constexpr bool operator==(const Quad&) const = default;
};

/// The 16 bytes at position `index` (in units of 16 bytes) under `seed`. Different positions differ; few
/// integer operations, so that a kernel that stores it is bound by memory.
constexpr Quad quad_at(std::uint64_t index, std::uint32_t seed) {
  const auto low = static_cast<std::uint32_t>(index);
  const auto high = static_cast<std::uint32_t>(index >> 32);
  std::uint32_t h = (low ^ seed) * 0x9E3779B1U + high * 0x85EBCA77U;
  h ^= h >> 15;
  h *= 0x2C1B3C6DU;
  h ^= h >> 13;
  return {h, h * 0x297A2D39U + seed, h * 0xC2B2AE3DU + low, (h * 0x27D4EB2FU) ^ low};
}

/// A whole number in [-2048, 2047] as float: sums and small multiples of such numbers are exact in fp32.
constexpr float whole_float(std::uint32_t bits) {
  return static_cast<float>(static_cast<int>(bits >> 20) - 2048);
}

inline constexpr float triad_scalar = 3.0F;

/// A step of SplitMix64 from `value` (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mixed(std::uint64_t value) { return integrity::random_number(value, 0); }

/// Word of the pattern test at this address in this round; the second pass of a round keeps its inverse.
constexpr std::uint64_t pattern_word(std::uint64_t address, std::uint64_t seed) {
  return mixed(address ^ mixed(seed));
}

/// A permutation of [0, count): a four-round Feistel network on the next even power of two, walked until it
/// lands inside. 0 < count <= 2^62, index < count.
constexpr std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t seed) {
  unsigned half_bits = 1;
  while ((std::uint64_t{1} << (2 * half_bits)) < count) ++half_bits;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  do {
    std::uint64_t left = index >> half_bits, right = index & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mixed(right + (seed + round) * 0x100000001B3U) & mask);
      left = right;
      right = next;
    }
    index = left << half_bits | right;
  } while (index >= count);
  return index;
}

}  // namespace assay::memory
