// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/variants/placing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "harness/core/error.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

/// Servers of one GPU; racks have four.
const char* const zone =
    "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 4\nspines = 2\nhost = { gpus = 1 }\n";

/// All-reduces of every third and of every second rank.
WorkloadFile workload(int ranks, int stride) {
  return parse_workload("ranks = " + std::to_string(ranks) +
                            "\n[[stream]]\n[[stream.op]]\ncollective = 'all_reduce'\nalgorithm = 'ring'\n"
                            "bytes = '64MiB'\ngroups = '0:" +
                            std::to_string(ranks) + ":" + std::to_string(stride) + "'\n",
                        "w.toml");
}

double cut_in_order(const WorkloadFile& workload, const std::vector<NodeId>& order) {
  return place_ranks(Scenario(parse_fabric(zone, "f.toml"), workload, order)).cuts.back().before;
}

class UnevenJob : public testing::TestWithParam<std::vector<NodeId>> {};

/// Every way to put the ranks on these hosts.
TEST_P(UnevenJob, IsPlacedAsWellAsAnyOrder) {
  std::vector<NodeId> order = GetParam();
  const WorkloadFile job = workload(static_cast<int>(order.size()), 3);
  const PlacedRanks placed = place_ranks(Scenario(parse_fabric(zone, "f.toml"), job, order));
  ASSERT_EQ(placed.cuts.size(), 1U);
  EXPECT_DOUBLE_EQ(placed.cuts[0].after, cut_in_order(job, placed.host_of_rank));
  std::vector<NodeId> hosts = placed.host_of_rank;
  std::ranges::sort(hosts);
  std::ranges::sort(order);
  EXPECT_EQ(hosts, order) << "the same hosts";
  double least = placed.cuts[0].before;
  do least = std::min(least, cut_in_order(job, order));
  while (std::ranges::next_permutation(order).found);
  EXPECT_DOUBLE_EQ(placed.cuts[0].after, least);
  EXPECT_LE(placed.cuts[0].bound, least);
}

INSTANTIATE_TEST_SUITE_P(Placing, UnevenJob,
                         testing::Values(std::vector<NodeId>{0, 1, 2, 3, 4, 8},
                                         std::vector<NodeId>{0, 1, 4, 8, 9, 10},
                                         std::vector<NodeId>{5, 2, 0, 1, 4, 15}));

TEST(Placing, OfZonesThatAJobUsesUnevenlyKeepsWhatEachHas) {
  const std::string centre =
      "preset = 'data-centre'\nzones = 2\nleaves = 2\ngpus_per_leaf = 4\nspines = 2\nratio = 2\n"
      "host = { gpus = 1 }\n";
  const WorkloadFile job = workload(9, 3);
  const PlacedRanks placed =
      place_ranks(Scenario(parse_fabric(centre, "f.toml"), job, {0, 1, 2, 4, 5, 6, 8, 9, 12}));
  ASSERT_EQ(placed.cuts.size(), 2U);
  EXPECT_EQ(placed.cuts[0].tier, "zone");
  EXPECT_EQ(placed.cuts[0].after, 0) << "one ring fits the second zone, the other two the first";
  EXPECT_GT(placed.cuts[0].before, 0);
  EXPECT_LT(placed.cuts[1].after, placed.cuts[1].before);
}

TEST(Placing, RefusesNamesThatAreTooFewWithTheirFile) {
  const Scenario scenario(parse_fabric(zone, "f.toml"), workload(6, 3));
  try {
    rank_places(scenario, scenario.host_of_rank(), {"a", "b"}, "names.txt");
    ADD_FAILURE() << "accepted";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("names.txt: 2 names, the job uses server 2: expected one a server"));
  }
}

}  // namespace
}  // namespace assay::model::fabric
