// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whose fault it is, by what ranks say of their steps.
#include "collectives/training/training_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "collectives/training/resident_memory.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t steps = 20;

/// Ranks whose losses fall to half, with the same weights.
std::vector<RankSteps> sound_ranks(int n) {
  RankSteps one;
  for (std::size_t step = 0; step < steps; ++step) {
    one.losses.push_back(4.0 / (1.0 + static_cast<double>(step) / steps));
    one.weights.push_back({step, 7});
  }
  return {static_cast<std::size_t>(n), one};
}

TEST(TrainingVerdict, OfSoundRanksIsTheirDigest) {
  const TrainingVerdict verdict = verdict_of(sound_ranks(4));
  EXPECT_EQ(verdict.rank, -1) << verdict.why;
  EXPECT_EQ(verdict.digest.size(), 32U);
  EXPECT_GT(verdict.first_loss, 1.5 * verdict.last_loss);
  auto other = sound_ranks(4);
  other[2].losses[5] *= 1 + 1e-15;
  EXPECT_NE(verdict_of(other).digest, verdict.digest);
}

TEST(TrainingVerdict, NamesTheRankWhoseWeightsAreNotThoseOfMost) {
  auto ranks = sound_ranks(4);
  for (std::size_t step = 12; step < steps; ++step) ranks[2].weights[step].high ^= 1;
  const TrainingVerdict verdict = verdict_of(ranks);
  EXPECT_EQ(verdict.rank, 2);
  EXPECT_EQ(verdict.why, "step 13 of run 1: the weights are not those of 3 of 4 ranks, rank 0 among them");
}

TEST(TrainingVerdict, OfTwoRanksThatDifferSaysThatEitherMayBe) {
  auto ranks = sound_ranks(2);
  ranks[0].weights[3].low ^= 1;
  const TrainingVerdict verdict = verdict_of(ranks);
  EXPECT_EQ(verdict.rank, 1);
  EXPECT_THAT(verdict.why, HasSubstr("not those of 1 of 2 ranks, rank 0 among them"));
}

TEST(TrainingVerdict, NamesTheRankWhereItBeganAndNotThoseThatItSpreadTo) {
  auto ranks = sound_ranks(3);
  ranks[0].finding = {.run = 1, .step = 4, .phase = StepPhase::weights, .what = "late"};
  ranks[2].finding = {.run = 1, .step = 4, .phase = StepPhase::gradients, .what = "early"};
  const TrainingVerdict verdict = verdict_of(ranks);
  EXPECT_EQ(verdict.rank, 2);
  EXPECT_EQ(verdict.why, "step 5 of run 2: early");
}

TEST(TrainingVerdict, RefusesALossThatDoesNotFall) {
  auto ranks = sound_ranks(2);
  for (RankSteps& one : ranks) one.losses.assign(steps, 4.1);
  const TrainingVerdict verdict = verdict_of(ranks);
  EXPECT_EQ(verdict.rank, 0);
  EXPECT_THAT(verdict.why, StartsWith("the loss does not fall: 4.1000 over the first 5 steps, 4.1000 over"));
}

TEST(TrainingVerdict, NamesTheRankThatLeaks) {
  auto ranks = sound_ranks(3);
  ranks[1].leak = "memory grew";
  EXPECT_EQ(verdict_of(ranks).rank, 1);
  EXPECT_EQ(verdict_of(ranks).why, "memory grew");
}

TEST(TrainingVerdict, AndWhatRanksSayGoThroughText) {
  RankSteps steps_of_rank = sound_ranks(1).front();
  steps_of_rank.losses[2] = std::numeric_limits<double>::quiet_NaN();
  steps_of_rank.finding = {.run = 2, .step = 9, .phase = StepPhase::gradients, .what = "\"odd\""};
  steps_of_rank.leak = "1 MiB";
  const std::string text = to_text(steps_of_rank);
  EXPECT_EQ(to_text(rank_steps_from(text)), text);
  const TrainingVerdict verdict = verdict_of({steps_of_rank});
  EXPECT_EQ(training_verdict_from(to_text(verdict)).why, verdict.why);
  EXPECT_THROW(rank_steps_from("{}"), core::Error);
  EXPECT_THROW(training_verdict_from("[1]"), core::Error);
}

TEST(StepLog, NamesTheFirstStepThatDoesNotRepeatTheFirstRun) {
  StepLog log;
  for (std::int64_t step = 0; step < 3; ++step) log.add(0, step, {.loss = 2});
  log.add(1, 0, {.loss = 2});
  EXPECT_EQ(log.finding(), std::nullopt);
  log.add(1, 1, {.loss = 2, .gradients = {.digest = {1, 1}}});
  log.add(1, 2, {.loss = 3});
  ASSERT_TRUE(log.finding());
  EXPECT_EQ(to_text(*log.finding()),
            "step 2 of run 2: the gradients before the exchange are not the first run's, bit by bit");
}

TEST(StepLog, NamesWhatIsNotFiniteInTheFirstRun) {
  const std::vector<float> gradients{1, std::numeric_limits<float>::infinity(), 2};
  StepLog log;
  log.add(0, 0, {.loss = 2, .gradients = mark_of(gradients)});
  ASSERT_TRUE(log.finding());
  EXPECT_EQ(to_text(*log.finding()),
            "step 1 of run 1: 1 elements of the gradients before the exchange are NaN or infinite");
}

TEST(StepLog, HasAnotherMarkForEachBitOfAnArray) {
  std::vector<float> array{1, 2, 3};
  const integrity::Digest before = mark_of(array).digest;
  for (float& one : array) {
    const float kept = one;
    one = std::nextafter(one, 9.0F);
    EXPECT_NE(mark_of(array).digest, before);
    one = kept;
  }
  EXPECT_EQ(mark_of(array).digest, before);
}

std::optional<std::string> leak_of(const std::function<std::int64_t(std::int64_t)>& bytes_at,
                                   std::int64_t readings = 100) {
  ResidentMemory memory;
  for (std::int64_t i = 0; i < readings; ++i) memory.add(bytes_at(i));
  return memory.leak();
}

TEST(ResidentMemory, ThatGrowsToTheEndLeaks) {
  EXPECT_EQ(leak_of([](std::int64_t i) { return 1'000'000 + i * (64 << 10); }),
            "resident memory grew by 2.2 MiB over the last half of 100 steps");
  EXPECT_TRUE(leak_of([](std::int64_t i) { return i * 1024; }, 100'000)) << "of many readings, some are kept";
}

TEST(ResidentMemory, ThatIsSteadyInTheEndDoesNotLeak) {
  EXPECT_EQ(leak_of([](std::int64_t i) { return std::min<std::int64_t>(i, 40) << 20; }), std::nullopt);
  EXPECT_EQ(leak_of([](std::int64_t i) { return i == 80 ? std::int64_t{1} << 30 : 1; }), std::nullopt);
  EXPECT_EQ(leak_of([](std::int64_t i) { return i * 4096; }), std::nullopt) << "less than a MiB";
  EXPECT_EQ(leak_of([](std::int64_t i) { return (i % 7) << 20; }), std::nullopt);
  EXPECT_EQ(leak_of([](std::int64_t i) { return i << 20; }, 3), std::nullopt) << "too few to say";
}

TEST(ResidentMemory, OfThisProcessIsRead) { EXPECT_GT(resident_bytes(), 1 << 20); }

}  // namespace
}  // namespace assay::collectives
