// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The schedule played with times whose result can be worked out by hand.
#include "offload/pipeline/prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::offload {
namespace {

constexpr PipelineShape four_in_two{.blocks = 4, .resident = 2};

TEST(Schedule, FetchesNoFurtherThanThereAreSlots) {
  EXPECT_TRUE(may_fetch(four_in_two, {.fetched = 1}));
  EXPECT_FALSE(may_fetch(four_in_two, {.fetched = 2}));
  EXPECT_TRUE(may_fetch(four_in_two, {.fetched = 2, .computed = 1}));
  EXPECT_FALSE(may_fetch(four_in_two, {.fetched = 4, .computed = 4}));
}

TEST(Schedule, ComputesOnlyWhatIsFetchedAndWhereItsResultHasASlot) {
  EXPECT_FALSE(may_compute(four_in_two, {}));
  EXPECT_TRUE(may_compute(four_in_two, {.fetched = 3, .computed = 2, .written = 1}));
  EXPECT_FALSE(may_compute(four_in_two, {.fetched = 3, .computed = 2, .written = 0}));
}

TEST(Schedule, WritesOnlyWhatIsComputed) {
  EXPECT_FALSE(may_write(four_in_two, {.fetched = 1}));
  EXPECT_TRUE(may_write(four_in_two, {.fetched = 1, .computed = 1}));
  EXPECT_TRUE(all_written(four_in_two, {.fetched = 4, .computed = 4, .written = 4}));
}

TEST(Prediction, ComputeBoundIsComputeWithTheFirstFetchAndTheLastWrite) {
  EXPECT_DOUBLE_EQ(predicted_step_s(four_in_two, {.compute_s = 10, .fetch_s = 3, .write_s = 1}, {}),
                   3 + 40 + 1);
}

TEST(Prediction, TransferBoundIsTransferWithTheLastBlock) {
  EXPECT_DOUBLE_EQ(predicted_step_s(four_in_two, {.compute_s = 2, .fetch_s = 10, .write_s = 1}, {}),
                   40 + 2 + 1);
}

TEST(Prediction, OneSlotOverlapsNothing) {
  EXPECT_DOUBLE_EQ(
      predicted_step_s({.blocks = 3, .resident = 1}, {.compute_s = 5, .fetch_s = 4, .write_s = 0.5}, {}),
      3 * (4 + 5) + 0.5);
}

TEST(Prediction, ComputeIsSlowedOnlyWhileSomethingIsCopied) {
  // Alone for the first and the last; beside a copy the second block goes at half its pace for as long as
  // that lasts.
  const PipelineShape two{.blocks = 2, .resident = 2};
  // 2 fetch; compute 1 beside fetch 2 (2 s: 1 s of its work), then 9 more alone; compute 2 needs 10: the
  // write of block 1 (1 s) costs it half a second; last write 1.
  EXPECT_DOUBLE_EQ(predicted_step_s(two, {.compute_s = 10, .fetch_s = 2, .write_s = 1}, {.compute = 2}),
                   2 + (2 + 9) + (1 + 9.5) + 1);
}

TEST(Prediction, CopiesAreSlowedOnlyWhileSomethingIsComputed) {
  // Fetch 1 alone 4; fetch 2 beside compute (1 s: half a second of it), 3.5 more alone; compute 1; no write.
  EXPECT_DOUBLE_EQ(predicted_step_s({.blocks = 2, .resident = 2},
                                    {.compute_s = 1, .fetch_s = 4, .write_s = 1e-12}, {.copy = 2}),
                   4 + 1 + 3.5 + 1 + 1e-12);
}

TEST(Prediction, DirectionsThatTakeTurnsSlowEachOther) {
  // As above with writes of 2 and no interference with computing: the write of block 1 and fetch 3 share the
  // engine.
  const PipelineShape three{.blocks = 3, .resident = 3};
  const BlockTimes times{.compute_s = 1e-9, .fetch_s = 4, .write_s = 2};
  EXPECT_NEAR(predicted_step_s(three, times, {.direction_share = 1}), 12 + 2, 1e-6);
  EXPECT_NEAR(predicted_step_s(three, times, {.direction_share = 0.5}), 12 + 4 + 2, 1e-6);
}

TEST(Prediction, TheShareFollowsFromBothDirectionsAtOnce) {
  EXPECT_DOUBLE_EQ(direction_share(10, 4, 10), 1);
  EXPECT_DOUBLE_EQ(direction_share(10, 4, 14), 0.5);
  EXPECT_DOUBLE_EQ(direction_share(10, 4, 11), 0.8);
  EXPECT_DOUBLE_EQ(direction_share(10, 4, 99), 0.5) << "noise: no worse than taking turns";
}

TEST(Prediction, OfATimeThatIsNoneIsNone) {
  EXPECT_TRUE(std::isnan(predicted_step_s(four_in_two, {.compute_s = NAN, .fetch_s = 1, .write_s = 1}, {})));
}

}  // namespace
}  // namespace assay::offload
