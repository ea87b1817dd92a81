// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two resources with known answers.
#include "collectives/overlap/pass_plan.hpp"

#include <gtest/gtest.h>

namespace assay::collectives {
namespace {

using Exchanges = std::vector<double>;

TEST(Buckets, TakeLayersUntilTheyAreFull) {
  EXPECT_EQ(buckets_of(8, 100, 100), (std::vector<int>(8, 1)));
  EXPECT_EQ(buckets_of(8, 100, 250), (std::vector<int>{3, 3, 2}));
  EXPECT_EQ(buckets_of(8, 100, 1), (std::vector<int>(8, 1)));
  EXPECT_EQ(buckets_of(8, 100, 10'000), (std::vector<int>{8}));
}

TEST(PassPlan, AllowsABucketOnceItsLayersAreComputed) {
  const PassPlan plan{.layers = 5, .bucket_layers = {2, 2, 1}};
  std::vector<std::size_t> allowed;
  for (int done = 0; done <= 5; ++done) allowed.push_back(plan.allowed(done));
  EXPECT_EQ(allowed, (std::vector<std::size_t>{0, 0, 1, 1, 2, 3}));
}

TEST(PassPlan, AllowsGathersUpToItsDepthAhead) {
  const PassPlan plan{.layers = 4, .depth = 1};
  EXPECT_EQ(plan.allowed(0), 2U);
  EXPECT_EQ(plan.allowed(2), 4U);
  EXPECT_EQ(plan.allowed(3), 4U);
}

TEST(IdealBackward, ExposesTheLastBucketWhereComputingIsTheLonger) {
  const PassPlan plan{.layers = 4, .bucket_layers = {1, 1, 1, 1}};
  EXPECT_DOUBLE_EQ(ideal_s(plan, 10, Exchanges(4, 3)), 40 + 3);
}

TEST(IdealBackward, ExposesAllButTheFirstBucketsWaitWhereTheLinkIsTheLonger) {
  const PassPlan plan{.layers = 4, .bucket_layers = {1, 1, 1, 1}};
  EXPECT_DOUBLE_EQ(ideal_s(plan, 10, Exchanges(4, 25)), 10 + 4 * 25);
}

TEST(IdealBackward, OfOneBucketHidesNothing) {
  const PassPlan plan{.layers = 4, .bucket_layers = {4}};
  EXPECT_DOUBLE_EQ(ideal_s(plan, 10, Exchanges{12}), 40 + 12);
}

TEST(IdealBackward, OfUnequalBucketsWaitsForEach) {
  const PassPlan plan{.layers = 3, .bucket_layers = {2, 1}};
  EXPECT_DOUBLE_EQ(ideal_s(plan, 10, Exchanges{15, 5}), 20 + 15 + 5);
}

TEST(IdealForward, WithoutPrefetchIsTheSum) {
  EXPECT_DOUBLE_EQ(ideal_s({.layers = 4, .depth = 0}, 10, Exchanges(4, 7)), 4 * 17);
}

TEST(IdealForward, OneAheadExposesTheFirstGatherWhereComputingIsTheLonger) {
  EXPECT_DOUBLE_EQ(ideal_s({.layers = 4, .depth = 1}, 10, Exchanges(4, 7)), 7 + 4 * 10);
}

TEST(IdealForward, OneAheadIsBoundByTheLinkWhereThatIsTheLonger) {
  EXPECT_DOUBLE_EQ(ideal_s({.layers = 4, .depth = 1}, 10, Exchanges(4, 25)), 4 * 25 + 10);
}

TEST(IdealForward, MoreDepthHidesOneLongGather) {
  const Exchanges gathers{1, 1, 1, 22};
  EXPECT_DOUBLE_EQ(ideal_s({.layers = 4, .depth = 1}, 10, gathers), 21 + 22 + 10);
  EXPECT_DOUBLE_EQ(ideal_s({.layers = 4, .depth = 3}, 10, gathers), 1 + 4 * 10);
}

}  // namespace
}  // namespace assay::collectives
