// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_formula.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace assay::memory {
namespace {

// Values from a second implementation of the formula, in another language.
TEST(QuadAt, GivesTheseWords) {
  EXPECT_EQ(quad_at(0, 1), (Quad{0xC80743FBU, 0x692F41E4U, 0x1475CCCFU, 0xED98E415U}));
  EXPECT_EQ(quad_at(5'000'000'007, 0x2545F491U), (Quad{0x4CC827B5U, 0x56139CDEU, 0x468E6E28U, 0x6013833CU}));
}

// The first output of SplitMix64 seeded with 0, as its authors' program prints it.
TEST(Mixed, IsSplitMix64) { EXPECT_EQ(mixed(0), 0xE220A8397B1DCDAFU); }

TEST(QuadAt, DiffersBetweenNeighboursSeedsAndBeyond32Bits) {
  EXPECT_NE(quad_at(7, 1), quad_at(8, 1));
  EXPECT_NE(quad_at(7, 1), quad_at(7, 2));
  EXPECT_NE(quad_at(7, 1), quad_at(7 + (std::uint64_t{1} << 32), 1));
}

TEST(QuadAt, RepeatsNoFirstWordWithinAFootprint) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t i = 0; i < 200'000; ++i) seen.insert(quad_at(i, 0x2545F491U).x);
  EXPECT_EQ(seen.size(), 200'000U);
}

TEST(QuadAt, HasHalfOfItsBitsSet) {
  std::int64_t set = 0;
  constexpr int count = 100'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Quad q = quad_at(i, 99);
    set += std::popcount(q.x) + std::popcount(q.y) + std::popcount(q.z) + std::popcount(q.w);
  }
  EXPECT_NEAR(static_cast<double>(set) / count, 64, 0.5);
}

TEST(WholeFloat, CoversMinus2048To2047) {
  EXPECT_EQ(whole_float(0), -2048.0F);
  EXPECT_EQ(whole_float(0xFFFFFFFFU), 2047.0F);
  EXPECT_EQ(whole_float(2048U << 20), 0.0F);
}

TEST(WholeFloat, MakesTheTriadExact) {
  for (std::uint32_t i = 0; i < 4096; ++i)
    for (const std::uint32_t j : {0U, 1U, 777U, 2048U, 4095U}) {
      const float a = whole_float(i << 20), b = whole_float(j << 20);
      ASSERT_EQ(std::fma(triad_scalar, b, a), a + triad_scalar * b);
      ASSERT_EQ(static_cast<double>(a + triad_scalar * b),
                static_cast<double>(a) + 3.0 * static_cast<double>(b));
    }
}

TEST(PatternWord, DependsOnEveryBitOfTheAddress) {
  const std::uint64_t address = 0x7F12'3456'7000;
  for (int bit = 0; bit < 48; ++bit) {
    const std::uint64_t other = pattern_word(address ^ (std::uint64_t{1} << bit), 5);
    EXPECT_GT(std::popcount(pattern_word(address, 5) ^ other), 8) << "bit " << bit;
  }
  EXPECT_NE(pattern_word(address, 5), pattern_word(address, 6));
}

TEST(Permuted, VisitsEveryIndexOnce) {
  for (const std::uint64_t count : {1ULL, 2ULL, 3ULL, 5ULL, 256ULL, 1000ULL, 65'537ULL}) {
    std::vector<bool> seen(count, false);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t to = permuted(i, count, 20'260'821);
      ASSERT_LT(to, count);
      ASSERT_FALSE(seen[to]) << count << " index " << i;
      seen[to] = true;
    }
  }
}

TEST(Permuted, RarelyStepsToANeighbouringLine) {
  constexpr std::uint64_t count = 1 << 16;
  int neighbours = 0;
  for (std::uint64_t i = 0; i + 1 < count; ++i) {
    const auto here = static_cast<std::int64_t>(permuted(i, count, 20'260'821));
    const auto next = static_cast<std::int64_t>(permuted(i + 1, count, 20'260'821));
    if (std::abs(next - here) <= 4) ++neighbours;
  }
  // Eight of 65,536 distances are that short: eight visits expected of a random order.
  EXPECT_LT(neighbours, 40);
}

}  // namespace
}  // namespace assay::memory
