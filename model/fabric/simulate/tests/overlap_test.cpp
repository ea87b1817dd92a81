// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams that overlap: by messages, and with steps alike as one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

constexpr const char* zone16 =
    "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 4\nspines = 4\nrouting = { kind = 'ecmp' }\n";

std::string collective(const std::string& name, const std::string& lines) {
  return "[[stream]]\nname = '" + name + "'\n[[stream.op]]\n" + lines;
}

const std::string ring = "collective = 'all_reduce'\nalgorithm = 'ring'\nbytes = '64MiB'\n";
const std::string halving = "collective = 'all_reduce'\nalgorithm = 'halving_doubling'\nbytes = '32MiB'\n";
const std::string compute = "[[stream]]\nname = 'backward'\n[[stream.op]]\ncompute_us = 1500\ntimes = 3\n";

struct Overlapping {
  const char* name;
  std::string streams;
};

class StepsAlikeAsOne : public testing::TestWithParam<Overlapping> {};

TEST_P(StepsAlikeAsOne, TakeAsLongAsTheirMessages) {
  const std::string workload = "ranks = 16\n" + GetParam().streams;
  const Simulated by_message(zone16, workload, {.seeds = 5}),
      alike(zone16, workload, {.seeds = 5, .most_graph_flows = 400});
  EXPECT_FALSE(by_message.result.alike_as_one);
  EXPECT_TRUE(alike.result.alike_as_one);
  EXPECT_NEAR(alike.mean_us(), by_message.mean_us(), 0.05 * by_message.mean_us());
  ASSERT_EQ(alike.result.bytes_of_links.size(), by_message.result.bytes_of_links.size());
  for (std::size_t link = 0; link < alike.result.bytes_of_links.size(); ++link)
    EXPECT_NEAR(alike.result.bytes_of_links[link], by_message.result.bytes_of_links[link],
                1e-6 * by_message.result.bytes_of_links[link]);
}

INSTANTIATE_TEST_SUITE_P(
    Streams, StepsAlikeAsOne,
    testing::Values(Overlapping{"RingNextToCompute", collective("a", ring) + compute},
                    Overlapping{"TwoRings", collective("a", ring) + collective("b", ring)},
                    Overlapping{"RingNextToHalving",
                                collective("a", ring + "times = 2\n") + collective("b", halving)}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(OverlappingStreams, AreRefusedWhereStepsAlikeAsOneAreTooMany) {
  try {
    Simulated(zone16, "ranks = 16\n" + collective("a", ring) + collective("b", ring),
              {.most_graph_flows = 31});
    FAIL() << "not refused";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("w.toml: stream: 32 flows of streams that overlap, with steps "
                                   "alike as one; expected at most 31"));
  }
}

/// Up and down trees of several levels: latencies of all levels count, as in a stream by itself.
TEST(OverlappingStreams, OfTreesHaveTheLatencyOfEveryLevel) {
  const std::string star = "preset = 'star'\nhosts = 16\nlink = { hop_latency_us = 10 }\n";
  const std::string tree =
      collective("tree", "collective = 'all_reduce'\nalgorithm = 'double_tree'\nbytes = '1KiB'\n");
  const Simulated alone(star, "ranks = 16\n" + tree);
  const Simulated next_to_compute(
      star, "ranks = 16\n" + tree + "[[stream]]\nname = 'b'\n[[stream.op]]\ncompute_us = 1\n");
  ASSERT_TRUE(next_to_compute.result.overlaps);
  EXPECT_NEAR(next_to_compute.time_us(), alone.time_us(), 0.05 * alone.time_us());
}

/// Ranks 0 and then 1 send to rank 2, which goes on when both have arrived, not with the last that was asked
/// for.
TEST(OverlappingStreams, AReceiverWaitsForAllThatItReceived) {
  const std::string star = "preset = 'star'\nhosts = 4\nlink = { hop_latency_us = 0 }\n";
  const auto send = [](const std::string& groups, const std::string& bytes) {
    return "[[stream.op]]\npattern = 'pipeline'\ngroups = " + groups + "\nbytes = '" + bytes + "'\n";
  };
  const Simulated run(star, "ranks = 4\n[[stream]]\n" + send("'0+2'", "49MB") + send("'1+2'", "49kB") +
                                send("'2+3'", "49MB") +
                                "[[stream]]\nname = 'other'\n[[stream.op]]\ncompute_us = 1\n");
  ASSERT_TRUE(run.result.overlaps);
  EXPECT_NEAR(run.time_us(), 2 * 49e6 / LinkSpeed{}.goodput(), 10);
}

/// Stages of a pipeline: the second waits for the first alone, the third rank for neither.
TEST(OverlappingStreams, ComputeOnTheRanksThatTheyName) {
  const std::string star = "preset = 'star'\nhosts = 4\nlink = { hop_latency_us = 0 }\n";
  const auto work = [](const std::string& name, const std::string& rank, int us, const std::string& after) {
    return fmt::format("[[stream]]\nname = '{}'\n{}[[stream.op]]\ncompute_us = {}\non = '{}'\n", name,
                       after.empty() ? "" : "after = " + after + "\n", us, rank);
  };
  const std::string send =
      "[[stream]]\nname = 'send'\nafter = 'a'\n[[stream.op]]\npattern = 'pipeline'\n"
      "groups = '0+1'\nbytes = '49MB'\n";
  const double send_us = 49e6 / LinkSpeed{}.goodput();
  for (const std::string usage : {"0", "0.1"}) {
    const Simulated run(star, "ranks = 4\nprocessor_usage = " + usage + "\n" + work("a", "0", 1000, "") +
                                  work("c", "2", 5000, "") + send + work("b", "1", 7000, "'send'"));
    EXPECT_NEAR(run.time_us(), 1000 + send_us + 7000, 10) << usage;
  }
}

/// 40 times compute after a gather in a stream of its own: what waits is in proportion to streams, not to
/// their square.
TEST(OverlappingStreams, OfManyGathersTakeAsLongAsByHand) {
  const std::string star = "preset = 'star'\nhosts = 4\nlink = { hop_latency_us = 0 }\n";
  std::string workload = "ranks = 4\n";
  const double bytes = 12 * 49e4, gather_us = bytes * 3 / 4 / LinkSpeed{}.goodput(),
               compute_us = 1.5 * gather_us;
  for (int unit = 1; unit <= 40; ++unit) {
    const std::string gather = fmt::format("gather {}", unit), before = fmt::format("{}", unit - 1);
    workload += fmt::format(
        "[[stream]]\nname = 'gather {}'\n{}[[stream.op]]\ncollective = 'all_gather'\n"
        "algorithm = 'ring'\nbytes = '5880kB'\n",
        unit, unit > 1 ? "after = 'gather " + before + "'\n" : "");
    workload +=
        fmt::format("[[stream]]\nname = 'unit {}'\nafter = [{}'gather {}']\n[[stream.op]]\ncompute_us = {}\n",
                    unit, unit > 1 ? "'unit " + before + "', " : "", unit, compute_us);
  }
  const Simulated run(star, workload);
  EXPECT_NEAR(run.time_us(), gather_us + 40 * compute_us, 0.01 * compute_us * 40);
}

}  // namespace
}  // namespace assay::model::fabric
