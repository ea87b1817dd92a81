// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/sound_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "harness/front/campaign/grow/exclusions.hpp"
#include "harness/front/campaign/tests/synthetic/faulty_fleet.hpp"
#include "harness/front/campaign/tests/synthetic/other_ways.hpp"

namespace assay::campaign {
namespace {

using Nodes = std::vector<int>;

constexpr int fleet_size = 256;
constexpr int tests_a_defect = 32;  // 4 log2 n
constexpr SoundSetRules once{.fails_in = 1};

bool has(const Nodes& group, int node) { return std::ranges::binary_search(group, node); }

SoundSet search(FaultyFleet& fleet, const SoundSetRules& rules = {}) {
  return largest_sound_set(fleet_size, rules, fleet.test());
}

TEST(SoundSet, OfASoundFleetIsAllOfItAfterThePassesThatProveIt) {
  FaultyFleet fleet({.nodes = fleet_size}, 1);
  const SoundSet set = search(fleet);
  EXPECT_TRUE(set.proven);
  EXPECT_EQ(set.nodes.size(), 256U);
  EXPECT_TRUE(set.excluded.empty());
  EXPECT_EQ(set.tests, passes_needed({}));
}

TEST(SoundSet, PassesFollowFromTheErrorRateHalfOfWhichIsForFailuresThatWereNotNarrowedDown) {
  EXPECT_EQ(passes_needed({.fails_in = 1, .error = 0.01}), 1);
  EXPECT_EQ(passes_needed({.fails_in = 0.5, .error = 0.01}), 8);
  EXPECT_EQ(passes_needed({.fails_in = 0.75, .error = 0.01}), 4);
  EXPECT_EQ(passes_needed({.fails_in = 0.1, .error = 0.01}), 51);
}

TEST(SoundSet, WithUpToFiveLastingDefectsIsTheLargestWithinFourLogNTestsADefect) {
  for (const SoundSetRules& rules : {once, SoundSetRules{}})
    for (int bad_nodes = 0; bad_nodes <= 5; ++bad_nodes)
      for (int bad_pairs = 0; bad_nodes + bad_pairs <= 5; ++bad_pairs)
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          FaultyFleet fleet({.nodes = fleet_size, .bad_nodes = bad_nodes, .bad_pairs = bad_pairs}, seed);
          const SoundSet set = search(fleet, rules);
          ASSERT_TRUE(set.proven && fleet.is_largest(set.nodes))
              << bad_nodes << " nodes, " << bad_pairs << " pairs, seed " << seed;
          ASSERT_LE(set.tests, passes_needed(rules) + tests_a_defect * (bad_nodes + bad_pairs)) << seed;
        }
}

TEST(SoundSet, NamesABadNodeWithItsPartnersAndABadPair) {
  const SoundSet set = largest_sound_set(
      16, once, [](const Nodes& group) { return !has(group, 5) && !(has(group, 9) && has(group, 12)); });
  ASSERT_EQ(set.excluded.size(), 2U);
  EXPECT_EQ(set.excluded[0].node, 5);
  EXPECT_EQ(set.excluded[0].why, Defect::node);
  EXPECT_GE(set.excluded[0].with.size(), 2U);
  EXPECT_EQ(set.excluded[1].why, Defect::pair);
  EXPECT_EQ(set.excluded[1].node + set.excluded[1].with.at(0), 9 + 12);
}

TEST(SoundSet, LacksTheNodeThatTwoBadPairsShareAndNoOther) {
  const SoundSet set = largest_sound_set(
      64, once, [](const Nodes& group) { return !(has(group, 20) && (has(group, 3) || has(group, 50))); });
  EXPECT_EQ(set.nodes.size(), 63U);
  EXPECT_FALSE(has(set.nodes, 20));
}

TEST(SoundSet, DoesNotDependOnAReferenceThatIsBad) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Planted planted{.nodes = fleet_size, .bad_nodes = 2, .first_is_bad = true};
    FaultyFleet fleet(planted, seed), same(planted, seed);
    const SoundSet set = search(fleet);
    EXPECT_TRUE(fleet.is_largest(set.nodes));
    EXPECT_TRUE(std::ranges::all_of(set.excluded, [](const auto& one) { return one.why == Defect::node; }));
    EXPECT_FALSE(same.is_sound(set_by_reference(fleet_size, same.test())))
        << "the way with a reference keeps it";
  }
}

TEST(SoundSet, HoldsAnIntermittentDefectNoMoreOftenThanPromised) {
  int fleets = 0, unsound = 0, not_largest = 0;
  for (int bad_nodes = 0; bad_nodes <= 5; ++bad_nodes)
    for (int bad_pairs = 0; bad_nodes + bad_pairs <= 5; ++bad_pairs)
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        FaultyFleet fleet(
            {.nodes = fleet_size, .bad_nodes = bad_nodes, .bad_pairs = bad_pairs, .fails_in = 0.5}, seed);
        const SoundSet set = search(fleet);
        ++fleets;
        unsound += fleet.is_sound(set.nodes) ? 0 : 1;
        not_largest += fleet.is_largest(set.nodes) ? 0 : 1;
      }
  EXPECT_LE(unsound, fleets / 100);
  EXPECT_LE(not_largest, fleets / 50);
}

TEST(SoundSet, ExcludesNothingForAFailureThatDoesNotComeAgain) {
  int tests = 0;
  const SoundSet set = largest_sound_set(fleet_size, {}, [&](const Nodes&) { return ++tests != 3; });
  EXPECT_TRUE(set.proven);
  EXPECT_EQ(set.nodes.size(), 256U);
  EXPECT_EQ(set.unlocated, 1);
}

TEST(SoundSet, IsFoundWhereOnlyThreeNodesTogetherFail) {
  const SoundSet set = largest_sound_set(
      32, once, [](const Nodes& group) { return !(has(group, 4) && has(group, 11) && has(group, 25)); });
  EXPECT_TRUE(set.proven);
  EXPECT_EQ(set.nodes.size(), 31U);
  ASSERT_EQ(set.excluded.size(), 1U);
  EXPECT_EQ(set.excluded[0].why, Defect::larger_group);
}

TEST(SoundSet, IsNotProvenWhereNothingPassesOrTooFewAreLeft) {
  for (const int count : {2, 3, 8, 256}) {
    const SoundSet set = largest_sound_set(count, {}, [](const Nodes&) { return false; });
    EXPECT_FALSE(set.proven) << count;
    EXPECT_TRUE(set.nodes.empty() && set.excluded.empty()) << count;
    EXPECT_LE(set.tests, 60) << "it is not the nodes";
  }
}

TEST(SoundSet, OfThreeNodesIsTheTwoThatPass) {
  for (int bad = 0; bad < 3; ++bad) {
    const SoundSet set = largest_sound_set(3, once, [bad](const Nodes& group) { return !has(group, bad); });
    EXPECT_TRUE(set.proven);
    EXPECT_EQ(set.nodes.size(), 2U);
    EXPECT_FALSE(has(set.nodes, bad));
  }
}

TEST(WaysOfOthers, FindTheSetOfFleetsThatTheyAreMadeFor) {
  FaultyFleet one({.nodes = fleet_size, .bad_nodes = 3}, 7), other({.nodes = fleet_size, .bad_nodes = 3}, 7);
  ASSERT_FALSE(one.bad_nodes().contains(0));
  EXPECT_TRUE(one.is_largest(set_by_reference(fleet_size, one.test())));
  EXPECT_TRUE(other.is_largest(set_by_halves(fleet_size, other.test())));
}

TEST(WaysOfOthers, MissWhatThisSearchFinds) {
  const Planted pairs{.nodes = fleet_size, .bad_pairs = 3},
      intermittent{.nodes = fleet_size, .bad_nodes = 3, .fails_in = 0.5};
  int halves = 0, reference = 0, searched = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FaultyFleet of_halves(pairs, seed), of_reference(intermittent, seed), here(intermittent, seed);
    halves += of_halves.is_sound(set_by_halves(fleet_size, of_halves.test())) ? 1 : 0;
    reference += of_reference.is_sound(set_by_reference(fleet_size, of_reference.test())) ? 1 : 0;
    searched += here.is_sound(search(here).nodes) ? 1 : 0;
  }
  EXPECT_LE(halves, 4);
  EXPECT_LE(reference, 30);
  EXPECT_GE(searched, 39);
}

TEST(Exclusions, AreTheFewest) {
  EXPECT_TRUE(fewest_in_all_pairs({}).empty());
  EXPECT_EQ(fewest_in_all_pairs({{1, 9}, {2, 9}, {3, 9}}), std::set<int>{9});
  EXPECT_EQ(fewest_in_all_pairs({{1, 2}, {2, 3}, {3, 4}, {4, 5}}).size(), 2U);
  std::set<NodePair> many;
  for (int node = 0; node < 40; node += 2) many.insert({node, node + 1});
  EXPECT_EQ(fewest_in_all_pairs(many).size(), 20U);
}

}  // namespace
}  // namespace assay::campaign
