// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

constexpr const char* fabric_of_eight =
    "preset = 'ai-zone'\nleaves = 8\nspines = 16\nlink = { hop_latency_us = 0 }\n";

/// Section 4, row 21.
TEST(Congestion, TighterThresholdsOfDcqcnLengthenAnAllReduceAndShortenQueues) {
  const std::string ring = one_operation(128, "pattern = 'shift'\nby = 16\nbytes = '16MiB'\ntimes = 20\n");
  const auto run = [&](const std::string& thresholds) {
    return Simulated(
        std::string(fabric_of_eight) + "routing = { queue_pairs = 4 }\ncongestion = 'dcqcn'\n" + thresholds,
        ring);
  };
  const auto queued = [](const Simulated& one) {
    return one.result.operations.front().steps.front().congested.front()->link.start.most_queued_bytes;
  };
  const Simulated fair(std::string(fabric_of_eight) + "routing = { queue_pairs = 4 }\n", ring,
                       {.sharing = SharingChoice::bound});
  const Simulated tight = run("dcqcn = { kmin = '5KiB', kmax = '200KiB' }\n"), usual = run(""),
                  loose = run("dcqcn = { kmin = '500KiB', kmax = '20MiB' }\n");
  EXPECT_GT(loose.time_us(), fair.time_us()) << "the start is lost";
  EXPECT_GT(usual.time_us(), loose.time_us());
  EXPECT_GT(tight.time_us(), usual.time_us());
  EXPECT_LT(queued(tight), queued(usual));
  EXPECT_LT(queued(usual), queued(loose));
  EXPECT_THAT(simulation_answer(tight.scenario, tight.result, {}, std::nullopt).json,
              testing::AllOf(testing::HasSubstr("\"lost_us\""), testing::HasSubstr("\"queue_bytes\"")));
}

/// Section 4, row 12: sixteen to one, by senders' windows or by the receiver's.
TEST(Congestion, PausesReachTheHostsOfAnIncastUnlessTheReceiverAdmits) {
  const auto run = [](const std::string& admission) {
    return Simulated("preset = 'star'\nhosts = 17\nlink = { hop_latency_us = 0.5 }\n" + admission,
                     one_operation(17, "pattern = 'incast'\nbytes = '4MiB'\n"));
  };
  const Simulated free = run(""), admitted = run("admission = { channels = 1, buffer = '64KiB' }\n");
  const auto json_of = [](const Simulated& one) {
    return simulation_answer(one.scenario, one.result, {}, std::nullopt).json;
  };
  EXPECT_EQ(free.result.paused_links.size(), 16U);
  EXPECT_THAT(json_of(free), testing::HasSubstr("\"hosts\": 16"));
  EXPECT_TRUE(admitted.result.paused_links.empty());
  EXPECT_THAT(json_of(admitted), testing::HasSubstr("\"hosts\": 0"));
  EXPECT_NEAR(free.time_us() / admitted.time_us(), 1, 0.01);
}

/// Section 4, row 19.
TEST(Congestion, AnAllToAllOfUnalignedStartsQueuesAtHosts) {
  const Simulated run("preset = 'ai-zone'\nleaves = 4\nlink = { hop_latency_us = 2 }\n",
                      one_operation(64, "pattern = 'all_to_all'\nbytes = '256MiB'\n"));
  const Answer answer = simulation_answer(run.scenario, run.result, {}, std::nullopt);
  const auto bursts = core::json_from<nlohmann::json>(answer.json).at("bursts");
  ASSERT_EQ(bursts.size(), 1U);
  EXPECT_GT(bursts[0].at("unaligned_bytes").get<double>(), 49'000 * 8) << "a second sender for a round trip";
  EXPECT_EQ(bursts[0].at("staggered_bytes"), 0);
  const auto is_table = [](const results::Table& one) { return one.title.starts_with("Queues at hosts"); };
  EXPECT_EQ(std::ranges::count_if(answer.tables, is_table), 1);
}

TEST(Congestion, SaysWhereOccupancySharingDoesNotSettle) {
  const auto run = [](const std::string& pattern) {
    return Simulated(
        "preset = 'ai-zone'\nleaves = 16\nspines = 8\ngpus_per_leaf = 8\n"
        "routing = { kind = 'e-ecmp', queue_pairs = 4 }\n",
        one_operation(128, pattern));
  };
  const Simulated random = run("pattern = 'permutation'\nbytes = '8MiB'\n"),
                  incast("preset = 'star'\nhosts = 17\n",
                         one_operation(17, "pattern = 'incast'\nbytes = '4MiB'\n"));
  const auto notes_of = [](const Simulated& one) {
    return simulation_answer(one.scenario, one.result, {}, std::nullopt).notes;
  };
  EXPECT_GT(random.result.settling.unsettled, 0U);
  EXPECT_LE(random.result.settling.unsettled, random.result.settling.solutions);
  EXPECT_THAT(notes_of(random),
              testing::Contains(testing::HasSubstr("what links are allowed had not settled after 8 ")));
  EXPECT_GT(incast.result.settling.solutions, 0U);
  EXPECT_EQ(incast.result.settling.unsettled, 0U);
  EXPECT_THAT(notes_of(incast), testing::Not(testing::Contains(testing::HasSubstr("settled"))));
}

}  // namespace
}  // namespace assay::model::fabric
