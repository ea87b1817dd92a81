// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

const char* const star16 = "preset = 'star'\nhosts = 16\nhost = { overhead_us = 2 }\n";

class ClosedForm : public testing::TestWithParam<std::tuple<const char*, SharingChoice>> {};

TEST_P(ClosedForm, HoldsOnAStarWithoutContention) {
  const auto [name, rule] = GetParam();
  const std::string whole = name, algorithm = whole.substr(0, whole.find('/'));
  const std::string collective = whole.substr(whole.find('/') + 1);
  const Simulated run(star16,
                      one_operation(16, "collective = '" + collective + "'\nalgorithm = '" + algorithm +
                                            "'\nbytes = '16MiB'\n"),
                      {.sharing = rule});
  const double step_us = 2 * 2 + 2 * 1 + 4096 / LinkSpeed{}.goodput();
  const double expected =
      pattern(algorithm + "_" + collective).closed_form_us({16, 16 << 20}, step_us, LinkSpeed{}.goodput());
  EXPECT_NEAR(run.time_us(), expected, 1e-9 * expected);
  EXPECT_NEAR(run.result.even_us, expected, 1e-9 * expected);
}

INSTANTIATE_TEST_SUITE_P(Simulation, ClosedForm,
                         testing::Combine(testing::Values("ring/all_reduce", "ring/all_gather",
                                                          "ring/reduce_scatter", "doubling/all_reduce",
                                                          "halving_doubling/all_reduce", "binomial/broadcast",
                                                          "binomial/all_reduce"),
                                          testing::Values(SharingChoice::bound, SharingChoice::max_min,
                                                          SharingChoice::occupancy)));

TEST(Simulation, ASendersMessagesKeepTheirLeastTimeApart) {
  for (const SharingChoice rule : {SharingChoice::bound, SharingChoice::max_min, SharingChoice::occupancy}) {
    const auto time_us = [&](const std::string& host) {
      return Simulated("preset = 'star'\nhosts = 16\n" + host,
                       one_operation(16, "pattern = 'all_to_all'\nbytes = '16B'\n"), {.sharing = rule})
          .time_us();
    };
    const double latency_us = 2 * 1 + 4096 / LinkSpeed{}.goodput();
    EXPECT_NEAR(time_us("host = { message_gap_us = 0.5 }\n"), latency_us + 14 * 0.5, 1e-9);
    EXPECT_LT(time_us(""), latency_us + 0.01);
  }
}

TEST(Simulation, ADoubleTreeMovesTwoVectorsThroughEveryRank) {
  const std::string star = "preset = 'star'\nhosts = 64\nlink = { hop_latency_us = 0 }\n";
  const Simulated run(
      star, one_operation(64, "collective = 'all_reduce'\nalgorithm = 'double_tree'\nbytes = '64MiB'\n"),
      {.sharing = SharingChoice::bound});
  EXPECT_NEAR(run.time_us() / (2 * (64 << 20) / LinkSpeed{}.goodput()), 1, 0.01);
}

TEST(Simulation, BusBandwidthOfARingIsThatOfItsLinks) {
  const Simulated run("preset = 'star'\nhosts = 16\nlink = { hop_latency_us = 0 }",
                      one_operation(16, "collective = 'all_reduce'\nbytes = '16GiB'\n"));
  const OperationTimes& one = run.result.operations.front();
  EXPECT_NEAR(one.bus_bandwidth(one.time_us.front()) / LinkSpeed{}.goodput(), 1, 1e-4);
}

const char* const eight_leaves = "preset = 'ai-zone'\nleaves = 8\nlink = { hop_latency_us = 0 }\n";
const char* const next_leaf = "pattern = 'shift'\nby = 16\nbytes = '64MiB'\n";

TEST(Simulation, ThreadsChangeNoDigit) {
  const Simulated one(eight_leaves, one_operation(128, next_leaf), {.seeds = 7});
  const Simulated four(eight_leaves, one_operation(128, next_leaf), {.seeds = 7, .threads = 4});
  EXPECT_EQ(one.result.time_us, four.result.time_us);
  EXPECT_EQ(one.result.bytes_of_links, four.result.bytes_of_links);
}

/// Parts of one seed that share no link are on threads: here the pairs of ranks.
TEST(Simulation, ThreadsChangeNoDigitOfPartsOfOneSeed) {
  const std::string pairs =
      one_operation(128, "pattern = 'shift'\nby = 1\nbytes = '64MiB'\ngroups = '0:128:1:2'\n");
  const std::string uneven =
      std::string(eight_leaves) + "[[degraded]]\nlink = 'leaf3>host50'\nfactor = 0.5\n";
  for (const SharingChoice sharing : {SharingChoice::max_min, SharingChoice::occupancy}) {
    const Simulated one(uneven, pairs, {.sharing = sharing}),
        four(uneven, pairs, {.sharing = sharing, .threads = 4});
    EXPECT_EQ(one.result.time_us, four.result.time_us);
    for (std::size_t host = 0; host < 128; ++host)
      EXPECT_EQ(one.result.hosts[host].time_us, four.result.hosts[host].time_us) << host;
    EXPECT_GT(four.result.hosts[50].time_us, 1.9 * four.result.hosts[0].time_us);
  }
}

/// Section 4, row 5: 128 GPUs on eight leaves with 4 queue pairs each; every flow leaves its leaf.
TEST(Simulation, FourTimesTheQueuePairsGainWhatWorstLeavesLose) {
  const SimulationOptions bound{.sharing = SharingChoice::bound, .seeds = 200, .threads = 2};
  const std::string leaves = eight_leaves;
  const Simulated ecmp(leaves + "routing = { queue_pairs = 4 }\n", one_operation(128, next_leaf), bound);
  const Simulated enhanced(leaves + "routing = { kind = 'e-ecmp', queue_pairs = 16 }\n",
                           one_operation(128, next_leaf), bound);
  EXPECT_NEAR(ecmp.mean_us() / enhanced.mean_us(), 1.45, 0.03);
}

/// Section 4, rows 9 and 10, at 1:1 where flows divide.
TEST(Simulation, TrafficEngineeringLeavesNoLinkAboveTheMean) {
  const std::string leaves = eight_leaves;
  const Simulated engineered(leaves + "routing = { kind = 'te' }\n", one_operation(128, next_leaf),
                             {.sharing = SharingChoice::bound, .seeds = 3});
  EXPECT_NEAR(engineered.time_us(), engineered.result.even_us, 1e-9 * engineered.time_us());
}

/// Section 4, row 10: at 1:2.
TEST(Simulation, TrafficEngineeringGainsSixPercentOverEnhancedEcmp) {
  const std::string wide = "preset = 'ai-zone'\nleaves = 8\nspines = 32\nlink = { hop_latency_us = 0 }\n";
  const SimulationOptions bound{.sharing = SharingChoice::bound, .seeds = 200, .threads = 2};
  const Simulated enhanced(wide + "routing = { kind = 'e-ecmp', queue_pairs = 16 }\n",
                           one_operation(128, next_leaf), bound);
  const Simulated engineered(wide + "routing = { kind = 'te' }\n", one_operation(128, next_leaf), bound);
  EXPECT_NEAR(engineered.mean_us(), engineered.result.even_us, 1e-9 * engineered.mean_us());
  EXPECT_NEAR(enhanced.mean_us() / engineered.mean_us(), 1.06, 0.02);
}

/// Section 4, row 11: two uplinks of 18 fail right after the plan.
TEST(Simulation, AStalePlanLosesToAFreshOneAndToHashesOfSomeSeeds) {
  const std::string zone =
      "preset = 'ai-zone'\nleaves = 8\nspines = 18\nlink = { hop_latency_us = 0 }\n"
      "failed = [{ link = 'leaf0>spine0' }, { link = 'leaf0>spine1' }]\n";
  const std::string traffic = one_operation(128, next_leaf);
  const SimulationOptions bound{.sharing = SharingChoice::bound, .seeds = 50};
  const Simulated fresh(zone + "routing = { kind = 'te' }\n", traffic, bound);
  const Simulated stale(zone + "routing = { kind = 'te', te_plan = 'stale' }\n", traffic, bound);
  const Simulated hashed(zone + "routing = { kind = 'e-ecmp', queue_pairs = 16 }\n", traffic, bound);
  EXPECT_NEAR(fresh.mean_us(), fresh.result.even_us, 1e-9 * fresh.mean_us()) << "16 flows on 16 links";
  EXPECT_GT(stale.mean_us(), 1.05 * fresh.mean_us());
  EXPECT_GT(std::ranges::max(stale.result.time_us), std::ranges::min(hashed.result.time_us));
}

TEST(Simulation, ATierOfTwiceTheSpeedNeedsHalfTheUplinks) {
  const std::string spray =
      "preset = 'ai-zone'\nleaves = 2\nlink = { hop_latency_us = 0 }\n"
      "routing = { kind = 'spray', spray_efficiency = 1 }\n";
  const auto time_us = [&](const std::string& more) {
    return Simulated(spray + more, one_operation(32, next_leaf), {.sharing = SharingChoice::bound}).time_us();
  };
  EXPECT_NEAR(time_us("spines = 8\n") / time_us(""), 2, 0.01);
  EXPECT_NEAR(time_us("spines = 8\n[tier.spine]\ngbit_per_s = 800\n") / time_us(""), 1, 0.001);
}

/// Section 4, row 25: also GPUs that never use the bad link are held up by it, through paused ports.
TEST(Simulation, ABadLinkIsNamedFirstByThoseThatItHoldsUp) {
  const std::string zone =
      "preset = 'ai-zone'\nleaves = 8\nspines = 16\nlink = { hop_latency_us = 0 }\n"
      "routing = { kind = 'e-ecmp', queue_pairs = 16 }\n";
  const Simulated run(zone + "degraded = [{ link = 'leaf0>host0', factor = 0.25 }]\n",
                      one_operation(128, next_leaf));
  const auto slowest = std::ranges::max_element(run.result.hosts, {}, &HostTime::time_us);
  EXPECT_EQ(run.scenario.model().name_of_link(slowest->link), "leaf0>host0");
  EXPECT_THAT(simulation_answer(run.scenario, run.result, {}, std::nullopt).sentence,
              testing::HasSubstr("; leaf0>host0, at 25 % of the rate of its tier, needs the longest"));
  const Simulated sound(zone, one_operation(128, next_leaf));
  const auto worst = std::ranges::max_element(sound.result.hosts, {}, &HostTime::time_us);
  EXPECT_THAT(sound.scenario.model().name_of_link(worst->link), testing::HasSubstr("spine"));
}

/// Section 4, row 16.
TEST(Simulation, AnAllToAllOverEightZonesPaysForTheRatio) {
  const std::string zones =
      "preset = 'data-centre'\nzones = 8\nleaves = 7\ngpus_per_leaf = 8\nspines = 8\n"
      "link = { hop_latency_us = 0 }\nrouting = { kind = 'spray', spray_efficiency = 1 }\n";
  const std::string workload = one_operation(448, "pattern = 'all_to_all'\nbytes = '448MiB'\n");
  const Simulated oversubscribed(zones + "ratio = 7", workload), full(zones + "ratio = 1", workload);
  EXPECT_NEAR(oversubscribed.time_us() / full.time_us(), 6.13, 0.0613 * 2);
}

/// Section 4, row 17.
TEST(Simulation, AlgorithmsOfFewStepsAreLessSensitiveToLatency) {
  const std::string star =
      "preset = 'star'\nhosts = 16384\nlink = { gbit_per_s = 400000, hop_latency_us = 1 }\n"
      "host = { overhead_us = 10 }\n";
  const auto time_ms = [&](const std::string& algorithm) {
    return 1e-3 * Simulated(star, one_operation(16384, "collective = 'all_reduce'\nalgorithm = '" +
                                                           algorithm + "'\nbytes = '16KiB'\n"))
                      .time_us();
  };
  EXPECT_NEAR(time_ms("ring"), 721, 1);
  EXPECT_NEAR(time_ms("doubling"), 0.308, 0.002);
  EXPECT_NEAR(time_ms("halving_doubling"), 0.616, 0.004);
}

/// Section 4, row 25.
TEST(Simulation, ASlowLinkIsTheSlowestHostsReason) {
  const Simulated run(
      std::string(eight_leaves) +
          "routing = { queue_pairs = 16 }\n[[degraded]]\nlink = 'leaf5>host83'\nfactor = 0.25\n",
      one_operation(128, next_leaf));
  const auto worst = std::ranges::max_element(run.result.hosts, {}, &HostTime::time_us);
  EXPECT_EQ(run.scenario.model().name_of_link(worst->link), "leaf5>host83");
}

TEST(Simulation, ServersExchangeOverNvlinkWhereTheyHaveIt) {
  const std::string servers = std::string(eight_leaves) + "host = { nvlink_gb_per_s = 450 }\n";
  const std::string inside =
      one_operation(128, "collective = 'all_reduce'\ngroups = '0:128:1:8'\nbytes = '8MiB'\n");
  const Simulated by_nvlink(servers, inside), by_fabric(eight_leaves, inside);
  EXPECT_NEAR(by_nvlink.time_us(), 14 * (1 << 20) / 450e3, 1e-6);
  EXPECT_GT(by_fabric.time_us(), 8 * by_nvlink.time_us());
  EXPECT_DOUBLE_EQ(by_nvlink.result.bytes_of_links[0], 0) << "the NIC of GPU 0";
}

TEST(Simulation, MessagesThatTakeQueuePairsInTurnTakeOtherPathsInOtherSteps) {
  const std::string routing = "routing = { queue_pairs = 4, queue_pair_use = 'round_robin' }\n";
  const Simulated run(eight_leaves + routing,
                      one_operation(128, "collective = 'all_reduce'\ngroups = '0:128:16'\nbytes = '8MiB'\n"),
                      {.seeds = 10});
  ASSERT_EQ(run.result.operations.front().steps.size(), 4U);
  const auto& steps = run.result.operations.front().steps;
  EXPECT_NE(steps[0].time_us, steps[1].time_us);
  EXPECT_DOUBLE_EQ(steps[0].repeats, 14.0 / 4);
}

TEST(Simulation, AWindowLimitsTheRateByItsRoundTripAndWait) {
  const std::string zone = "preset = 'star'\nhosts = 4\n";
  const auto time_us = [&](const char* wait_us, SharingChoice rule) {
    return Simulated(zone + "admission = { buffer = '256KiB', wait_us = " + wait_us + " }",
                     one_operation(4, "pattern = 'shift'\nbytes = '64MiB'\n"), {.sharing = rule})
        .time_us();
  };
  const double round_trip_us = 2 * (2 + 4096 / LinkSpeed{}.goodput());
  for (const SharingChoice rule : {SharingChoice::bound, SharingChoice::max_min, SharingChoice::occupancy}) {
    EXPECT_NEAR(time_us("43", rule), (64 << 20) / (256 * 1024 / (round_trip_us + 43)), 5);
    EXPECT_NEAR(time_us("0", rule), (64 << 20) / LinkSpeed{}.goodput(), 5);
  }
}

TEST(Simulation, StreamsShareTheFabricAndWaitForCompute) {
  const std::string star = "preset = 'star'\nhosts = 4\nlink = { hop_latency_us = 0 }\n";
  const std::string shift = "[[stream.op]]\npattern = 'shift'\nbytes = '49MB'\n";
  const double alone_us = 49e6 / LinkSpeed{}.goodput();
  const Simulated both(star, "ranks = 4\n[[stream]]\n" + shift + "[[stream]]\n" + shift);
  EXPECT_TRUE(both.result.overlaps);
  EXPECT_NEAR(both.time_us(), 2 * alone_us, 1);
  const Simulated in_turn(star, "ranks = 4\n[[stream]]\nname = 'a'\n" + shift +
                                    "[[stream]]\nafter = 'a'\n[[stream.op]]\ncompute_us = 100\n" + shift);
  EXPECT_FALSE(in_turn.result.overlaps);
  EXPECT_NEAR(in_turn.time_us(), 2 * alone_us + 100, 1);
  // Half of the second is alone: it begins when the first has sent half.
  const Simulated later(star, "ranks = 4\n[[stream]]\n" + shift +
                                  "[[stream]]\n[[stream.op]]\ncompute_us = " + std::to_string(alone_us / 2) +
                                  "\n" + shift + "[[stream.op]]\ncompute_us = 77\n");
  EXPECT_NEAR(later.time_us(), 2 * alone_us + 77, 2);
  EXPECT_NEAR(later.result.operations[0].time_us.front(), 1.5 * alone_us, 2);
}

TEST(Simulation, RefusesRanksThatDoNotFitOrReachEachOther) {
  const auto complaint = [](const std::string& fabric, const std::string& workload) {
    try {
      const Simulated run(fabric, workload);
    } catch (const core::Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(complaint(star16, one_operation(17, next_leaf)),
              HasSubstr("w.toml:1: ranks: 17 ranks, and the fabric has 16 GPUs"));
  EXPECT_THAT(complaint(std::string(star16) + "[[failed]]\nlink = 'host3>leaf0'",
                        one_operation(16, "pattern = 'shift'\nbytes = '1MiB'")),
              HasSubstr("failed links separate"));
}

TEST(Simulation, AutoTakesTheRuleThatTheFlowsAllow) {
  const auto rule = [](StepFlows flows) { return rule_for(SharingChoice::automatic, flows); };
  EXPECT_EQ(rule({.flows = 200'000}), SharingRuleKind::occupancy);
  EXPECT_EQ(rule({.flows = 200'001}), SharingRuleKind::bound);
  EXPECT_EQ(rule({.flows = 200'001, .equal = false}), SharingRuleKind::max_min);
  EXPECT_EQ(rule({.flows = 2, .lossless = false}), SharingRuleKind::bound);
  EXPECT_EQ(rule({.flows = 2, .equal = false, .lossless = false}), SharingRuleKind::max_min);
}

}  // namespace
}  // namespace assay::model::fabric
