// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda_pattern/cuda_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "memory/cuda_pattern/cuda_pattern_pieces.hpp"

namespace assay::memory {
namespace {

using core::gib;
using core::mib;
using enum core::Verification::Result;
using testing::ElementsAre;
using testing::HasSubstr;

PatternOutcome complete() {
  return {.asked_bytes = 8 * gib, .tested_bytes = 8 * gib, .rounds = 30, .planted_fault_found = true};
}

TEST(AskedBytes, AreAShareInWholePieces) {
  EXPECT_EQ(asked_bytes(80 * gib, 90) % smallest_piece, 0);
  EXPECT_NEAR(static_cast<double>(asked_bytes(80 * gib, 90)), 0.9 * 80 * static_cast<double>(gib),
              static_cast<double>(smallest_piece));
  EXPECT_EQ(asked_bytes(200 * mib, 1), 2 * mib);
  EXPECT_EQ(asked_bytes(mib, 100), 0);
}

TEST(AskedBytes, RefuseAShareThatIsNone) {
  EXPECT_THROW(asked_bytes(gib, 0), core::Error);
  EXPECT_THROW(asked_bytes(gib, 101), core::Error);
  EXPECT_THROW(asked_bytes(gib, -5), core::Error);
}

TEST(GatherPieces, TakesWhatIsAskedAndNoMore) {
  std::vector<std::int64_t> taken;
  EXPECT_EQ(gather_pieces(2 * gib + 6 * mib,
                          [&](std::int64_t bytes) {
                            taken.push_back(bytes);
                            return true;
                          }),
            2 * gib + 6 * mib);
  EXPECT_THAT(taken, ElementsAre(gib, gib, 6 * mib));
}

TEST(GatherPieces, ComesToTheLastPieceThatFits) {
  std::int64_t left = 3 * gib + 10 * mib;  // what the device has to give
  const auto take = [&](std::int64_t bytes) {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  EXPECT_EQ(gather_pieces(8 * gib, take), 3 * gib + 10 * mib);
  EXPECT_EQ(left, 0);
}

TEST(GatherPieces, EndsWhenNothingIsGiven) {
  int calls = 0;
  EXPECT_EQ(gather_pieces(8 * gib, [&](std::int64_t) { return ++calls < 0; }), 0);
  EXPECT_LT(calls, 20);
}

TEST(JudgePattern, IsRightWhenAllWasTestedAndTheFaultFound) {
  const core::Verification verdict = judge_pattern(complete(), {});
  EXPECT_EQ(verdict.result, right);
  EXPECT_THAT(verdict.why, HasSubstr("8589934592 bytes in 30 rounds"));
}

TEST(JudgePattern, IsNeverRightWhenMemoryWasNotTested) {
  PatternOutcome outcome = complete();
  outcome.tested_bytes -= 2 * mib;
  const core::Verification verdict = judge_pattern(outcome, {});
  EXPECT_EQ(verdict.result, not_checked);
  EXPECT_THAT(verdict.why, HasSubstr("2097152 bytes could not be allocated and were not tested"));
}

TEST(JudgePattern, IsWrongWithAMismatchEvenIfMemoryIsMissing) {
  PatternOutcome outcome = complete();
  outcome.tested_bytes -= 2 * mib;
  MismatchLog log{};
  log.count = 1;
  log.listed[0] = {0x7f00, 4, 0};
  const core::Verification verdict = judge_pattern(outcome, log);
  EXPECT_EQ(verdict.result, wrong);
  EXPECT_THAT(verdict.why, HasSubstr("0x7f00"));
  EXPECT_THAT(verdict.why, HasSubstr("flipped bits 2"));
}

TEST(JudgePattern, DoesNotTrustATestThatMissesItsOwnFault) {
  PatternOutcome outcome = complete();
  outcome.planted_fault_found = false;
  EXPECT_EQ(judge_pattern(outcome, {}).result, wrong);
}

TEST(JudgePattern, OfNothingIsNotChecked) {
  PatternOutcome outcome = complete();
  outcome.rounds = 0;
  EXPECT_EQ(judge_pattern(outcome, {}).result, not_checked);
  outcome = complete();
  outcome.asked_bytes = outcome.tested_bytes = 0;
  EXPECT_EQ(judge_pattern(outcome, {}).result, not_checked);
}

TEST(PlantedFault, MustBeTheOnlyMismatchWithItsAddressAndBits) {
  const PlantedFault fault{.address = 0x1000, .bits = 0b101};
  MismatchLog log{};
  EXPECT_FALSE(is_exactly(log, fault));
  log.count = 1;
  log.listed[0] = {0x1000, 0b1111, 0b1010};
  EXPECT_TRUE(is_exactly(log, fault));
  log.listed[0].address = 0x1008;
  EXPECT_FALSE(is_exactly(log, fault));
  log.listed[0] = {0x1000, 0b1111, 0b1110};
  EXPECT_FALSE(is_exactly(log, fault));
  log.listed[0] = {0x1000, 0b1111, 0b1010};
  log.count = 2;
  EXPECT_FALSE(is_exactly(log, fault));
}

}  // namespace
}  // namespace assay::memory
