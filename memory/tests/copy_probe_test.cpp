// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "memory/copy_pattern.hpp"

namespace assay::memory {
namespace {

using enum core::Verification::Result;

TEST(CopiedWord, IsTheInverseInEveryOtherRound) {
  for (const std::uint64_t offset : {0ULL, 8ULL, 4096ULL, 1ULL << 40}) {
    EXPECT_EQ(copied_word(offset, 1), ~copied_word(offset, 0));
    EXPECT_NE(copied_word(offset, 2), copied_word(offset, 0));
  }
}

TEST(CopiedWord, DiffersFromPlaceToPlace) {
  std::set<std::uint64_t> words;
  for (std::uint64_t offset = 0; offset < 8000; offset += 8) words.insert(copied_word(offset, 0));
  EXPECT_EQ(words.size(), 1000u);
}

TEST(ComparePattern, NamesOffsetExpectedAndRead) {
  std::vector<std::uint64_t> words(64);
  write_pattern(words, 512, 4);
  integrity::MismatchLog log{};
  compare_pattern(words, 512, 4, log);
  EXPECT_EQ(log.count, 0u);
  words[3] ^= 0x10;
  compare_pattern(words, 512, 4, log);
  ASSERT_EQ(log.count, 1u);
  EXPECT_EQ(log.listed[0].address, 512u + 24);
  EXPECT_EQ(log.listed[0].expected ^ log.listed[0].read, 0x10u);
  compare_pattern(words, 512, 5, log);
  EXPECT_EQ(log.count, 65u) << "no word is right in another round";
}

TEST(ComparePattern, SeesTwoWordsThatChangedPlaces) {
  std::vector<std::uint64_t> words(64);
  write_pattern(words, 0, 0);
  std::swap(words[1], words[2]);
  integrity::MismatchLog log{};
  compare_pattern(words, 0, 0, log);
  EXPECT_EQ(log.count, 2u);
}

TEST(JudgeCopies, OfNothingIsNotChecked) { EXPECT_EQ(judge_copies({}).result, not_checked); }

TEST(JudgeCopies, NamesTheFirstWrongWord) {
  CopiesFound found{.rounds = 2, .bytes_per_round = 1024, .wrong = {}};
  EXPECT_EQ(judge_copies(found).result, right);
  integrity::note(found.wrong, 4096, 0xff00, 0xff05);
  integrity::note(found.wrong, 8, 1, 0);
  const core::Verification verdict = judge_copies(found);
  EXPECT_EQ(verdict.result, wrong);
  EXPECT_EQ(verdict.why,
            "2 of 256 words in 2 rounds are wrong: first offset 0x8: expected 0x1, got 0x0, xor 0x1");
  EXPECT_EQ(
      copies_facts(found).at(2),
      (core::Fact{"wrong_element_2", std::string("offset 0x1000: expected 0xff00, got 0xff05, xor 0x5")}));
  EXPECT_EQ(copies_metrics(found).at(0).value, 2048);
  EXPECT_EQ(copies_metrics(found).at(1).value, 2);
}

}  // namespace
}  // namespace assay::memory
