// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "harness/core/error.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/phases.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

/// A step to the next leaf of 128 GPUs, 1 MB each.
double step_us(std::uint32_t uplinks, int queue_pairs, RoutingKind kind, std::uint32_t seed) {
  const Topology zone = ai_zone({.leaves = 8, .spines = uplinks});
  const Router router(zone, {.kind = kind, .seed = seed, .queue_pairs = queue_pairs});
  Load load(router);
  for (NodeId source = 0; source < 128; ++source) load.add(source, (source + 16) % 128, 1000000);
  return bound_of(load.bytes_of_links(), zone.capacities()).time_us;
}

const double alone_us = 1e6 / LinkSpeed{}.goodput();

TEST(Size, TheLeastUplinksOfASprayedStepAreThoseOfItsBandwidth) {
  const std::vector<double> uplinks = {2, 4, 8, 12, 16, 18, 32};
  const auto sprayed = [](double value) {
    return step_us(static_cast<std::uint32_t>(value), 1, RoutingKind::adaptive, 1);
  };
  EXPECT_EQ(least_that_reaches(uplinks, 1.001 * alone_us, sprayed).least, 16);
  const SizeAnswer half = least_that_reaches(uplinks, 2.001 * alone_us, sprayed);
  EXPECT_EQ(half.least, 8);
  EXPECT_EQ(half.tried.size(), 3U);
  const SizeAnswer none = least_that_reaches(uplinks, 0.5 * alone_us, sprayed);
  EXPECT_FALSE(none.least);
  EXPECT_NEAR(none.fastest_us, alone_us, 1e-9);
}

TEST(Size, QueuePairsThatReachAStepUnderHashes) {
  const auto hashed = [](double value) {
    double sum = 0;
    for (std::uint32_t seed = 1; seed <= 20; ++seed)
      sum += step_us(32, static_cast<int>(value), RoutingKind::e_ecmp, seed);
    return sum / 20;
  };
  const SizeAnswer answer = least_that_reaches(powers_of_two(64), 1.1 * alone_us, hashed);
  ASSERT_TRUE(answer.least);
  EXPECT_GT(*answer.least, 4) << "few flows meet";
  EXPECT_LE(answer.tried.back().step_us, 1.1 * alone_us);
  EXPECT_GT(answer.tried[answer.tried.size() - 2].step_us, 1.1 * alone_us);
  EXPECT_THAT(powers_of_two(9), testing::ElementsAre(1, 2, 4, 8));
}

TEST(Size, RefusesWhatHasNoAnswer) {
  const auto any = [](double) { return 1.0; };
  EXPECT_THROW(least_that_reaches({}, 1, any), core::Error);
  EXPECT_THROW(least_that_reaches(std::vector<double>{2, 2}, 1, any), core::Error);
  EXPECT_THROW(least_that_reaches(std::vector<double>{2}, 0, any), core::Error);
}

/// Between powers of two: 23 is the least, and 20 of a step that is not monotone.
TEST(Size, IsFoundBetweenTheValuesTriedFirst) {
  const StepOf falling = [](double value) { return value >= 23 ? 1.0 : 2.0; };
  const StepOf jumping = [](double value) { return value == 20 || value >= 23 ? 1.0 : 2.0; };
  for (const auto& [finer, step, least] : {std::tuple(Finer::none, falling, 32.0),
                                           {Finer::each, falling, 23.0},
                                           {Finer::halving, falling, 23.0},
                                           {Finer::each, jumping, 20.0}}) {
    SizeAnswer answer = least_that_reaches(powers_of_two(64), 1, step);
    refine(answer, finer, 1, step);
    EXPECT_EQ(answer.least, least);
    EXPECT_EQ(answer.fastest_us, 1);
  }
}

TEST(Size, OfTheFirstValueOrOfNoneIsNotLookedForBetween) {
  const StepOf never = [](double) { return 2.0; }, always = [](double) { return 1.0; };
  for (const auto& [step, tried] : {std::pair(never, 7U), {always, 1U}}) {
    SizeAnswer answer = least_that_reaches(powers_of_two(64), 1, step);
    refine(answer, Finer::each, 1, step);
    EXPECT_EQ(answer.tried.size(), tried);
  }
}

}  // namespace
}  // namespace assay::model::fabric
