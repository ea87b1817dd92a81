// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/mismatch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::integrity {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FlippedBits, AreThoseThatDiffer) {
  EXPECT_THAT(flipped_bits(0, 0), IsEmpty());
  EXPECT_THAT(flipped_bits(0b1010, 0b0010), ElementsAre(3));
  EXPECT_THAT(flipped_bits(0, 1ULL << 63 | 1), ElementsAre(0, 63));
  EXPECT_EQ(flipped_bits(0x0123456789ABCDEF, ~0x0123456789ABCDEFULL).size(), 64U);
}

TEST(Mismatch, TellsAddressExpectedReadAndBits) {
  EXPECT_EQ(describe(Mismatch{0x7f0000001008, 0xff00, 0xff05}),
            "0x7f0000001008: expected 0x000000000000ff00, read 0x000000000000ff05, flipped bits 0 2");
}

TEST(MismatchLog, WithoutMismatchesSaysNothing) { EXPECT_EQ(describe(MismatchLog{}, 4), ""); }

TEST(MismatchLog, CountsExactlyAndListsByAddress) {
  MismatchLog log{};
  log.count = 3;
  log.listed[0] = {24, 1, 0};
  log.listed[1] = {8, 1, 0};
  log.listed[2] = {16, 1, 0};
  const std::vector<Mismatch> listed = listed_mismatches(log);
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0].address, 8U);
  EXPECT_EQ(listed[2].address, 24U);
  EXPECT_EQ(describe(log, 1),
            "3 words differ: 0x8: expected 0x0000000000000001, read 0x0000000000000000, flipped bits 0; ...");
}

TEST(MismatchLog, ThatOverflowedListsWhatItHolds) {
  MismatchLog log{};
  log.count = 1'000'000'000'000;
  EXPECT_EQ(listed_mismatches(log).size(), MismatchLog::capacity);
  EXPECT_THAT(describe(log, 2), testing::StartsWith("1000000000000 words differ: "));
}

TEST(MismatchLog, OnTheHostCountsBeyondWhatItLists) {
  MismatchLog log{};
  for (std::uint64_t i = 0; i < MismatchLog::capacity + 10; ++i) note(log, i, 0, 1);
  EXPECT_EQ(log.count, MismatchLog::capacity + 10);
  EXPECT_EQ(log.listed[MismatchLog::capacity - 1].address, MismatchLog::capacity - 1);
}

TEST(MismatchLog, TakesWhatAnotherThreadFound) {
  MismatchLog log{}, other{};
  note(log, 1, 0, 1);
  note(other, 2, 0, 1);
  note(other, 3, 0, 1);
  add(log, other);
  EXPECT_EQ(log.count, 3u);
  EXPECT_EQ(log.listed[2].address, 3u);
  for (std::uint64_t i = 0; i < MismatchLog::capacity; ++i) note(other, i, 0, 1);
  add(log, other);
  EXPECT_EQ(log.count, 5u + MismatchLog::capacity);
}

}  // namespace
}  // namespace assay::integrity
