// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Uneven all-to-alls, repeated operations, streams apart and together, and compute that messages slow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

const double goodput = LinkSpeed{}.goodput();
const char* const star4 =
    "preset = 'star'\nhosts = 4\nlink = { hop_latency_us = 0 }\nhost = { overhead_us = 0 }\n";
constexpr double packet_us = 1;  // a packet is stored at the switch: less than this

class UnevenAllToAll : public testing::TestWithParam<SharingChoice> {
 protected:
  /// Three GPUs; the busiest receiver gets 40 MB, the busiest shift moves 30 MB.
  void SetUp() override { std::ofstream(file_) << "0,10000000,0\n5000000,0,10000000\n5000000,30000000,0\n"; }
  void TearDown() override { std::filesystem::remove(file_); }

  Simulated run(const std::string& algorithm) const {
    return {star4,
            one_operation(3, "collective = 'all_to_all_v'\nmatrix = '" + file_ + "'\nalgorithm = '" +
                                 algorithm + "'\n"),
            {.sharing = GetParam()}};
  }
  std::string file_ = testing::TempDir() + "uneven_" + std::to_string(getpid()) + ".csv";
};

TEST_P(UnevenAllToAll, TakesTheBusiestPortAtOnceAndTheLargestBlocksInShifts) {
  const Simulated at_once = run("at_once"), shifts = run("pairwise");
  EXPECT_NEAR(at_once.time_us(), 40e6 / goodput, packet_us);
  // Shift by 1: 0>1 10 MB, 1>2 10 MB, 2>0 5 MB; by 2: 1>0 5 MB, 2>1 30 MB.
  EXPECT_NEAR(shifts.time_us(), 40e6 / goodput, 2 * packet_us);
  ASSERT_EQ(shifts.result.operations.front().steps.size(), 2U);
  EXPECT_NEAR(shifts.result.operations.front().steps[0].time_us.front(), 10e6 / goodput, packet_us);
  EXPECT_EQ(shifts.result.operations.front().steps[1].flows, 2U) << "0 sends nothing to 2";
  EXPECT_DOUBLE_EQ(
      std::accumulate(at_once.result.bytes_of_links.begin(), at_once.result.bytes_of_links.end(), 0.0),
      2 * 60e6);
}

INSTANTIATE_TEST_SUITE_P(WorkloadKinds, UnevenAllToAll,
                         testing::Values(SharingChoice::bound, SharingChoice::max_min,
                                         SharingChoice::occupancy));

TEST(WorkloadKinds, APopularReceiverSlowsAnAllToAll) {
  const std::string star16 = "preset = 'star'\nhosts = 16\nlink = { hop_latency_us = 0 }\n";
  const auto time_us = [&](const std::string& lines) {
    return Simulated(star16, one_operation(16, lines + "bytes = '160MB'\n"),
                     {.sharing = SharingChoice::bound})
        .time_us();
  };
  const double equal_us = time_us("pattern = 'all_to_all'\n");
  const double zipf_us = time_us("collective = 'all_to_all_v'\ndistribution = 'zipf'\n");
  double harmonic = 0;
  for (int place = 1; place <= 16; ++place) harmonic += 1.0 / place;
  EXPECT_NEAR(zipf_us / equal_us, 16 / harmonic, 0.02) << "the share of the most popular";
  const double drawn_us = time_us("collective = 'all_to_all_v'\ndistribution = 'exponential'\n");
  EXPECT_GT(drawn_us, 1.1 * equal_us);
  EXPECT_LT(drawn_us, zipf_us);
}

TEST(WorkloadKinds, ARepeatedOperationIsOneAfterTheOther) {
  const std::string ring = "[[stream.op]]\ncollective = 'all_reduce'\nbytes = '49MB'\n",
                    compute = "[[stream.op]]\ncompute_us = 40\n", head = "ranks = 4\n[[stream]]\n",
                    other = "[[stream]]\n[[stream.op]]\npattern = 'shift'\nbytes = '10MB'\n";
  for (const std::string& more : {std::string(), other}) {
    const Simulated written(star4, head + ring + ring + ring + compute + compute + more);
    const Simulated repeated(star4, head + ring + "times = 3\n" + compute + "times = 2\n" + more);
    EXPECT_NEAR(repeated.time_us(), written.time_us(), 1e-6 * written.time_us());
    EXPECT_EQ(repeated.result.bytes_of_links, written.result.bytes_of_links);
    EXPECT_NEAR(repeated.result.even_us, written.result.even_us, 1e-9 * written.time_us());
  }
}

TEST(WorkloadKinds, OnlyStreamsThatOverlapAreSimulatedByMessages) {
  const std::string shift = "[[stream.op]]\npattern = 'shift'\nbytes = '49MB'\n";
  const auto stream = [&](const std::string& name, const std::string& after) {
    return "[[stream]]\nname = '" + name + "'\n" + (after.empty() ? "" : "after = " + after + "\n") + shift;
  };
  const Simulated run(star4, "ranks = 4\n" + stream("first", "") + stream("left", "'first'") +
                                 stream("right", "'first'") + stream("last", "['left', 'right']"));
  const double alone_us = 49e6 / goodput;
  EXPECT_TRUE(run.result.overlaps);
  EXPECT_NEAR(run.time_us(), 4 * alone_us, 4 * packet_us);
  EXPECT_FALSE(run.result.operations[0].steps.empty());
  EXPECT_TRUE(run.result.operations[1].steps.empty());
  EXPECT_NEAR(run.result.operations[2].time_us.front(), 2 * alone_us, 2);
  EXPECT_FALSE(run.result.operations[3].steps.empty());
  EXPECT_DOUBLE_EQ(run.result.bytes_of_links.front(), 4 * 49e6);
}

TEST(WorkloadKinds, ACollectiveTakesItsShareOfComputeWhileItRuns) {
  const double shift_us = 49e6 / goodput;
  const auto time_us = [&](const std::string& usage, double compute_us, SharingChoice rule) {
    const Simulated run(
        star4,
        "ranks = 4\nprocessor_usage = " + usage +
            "\n[[stream]]\nname = 'compute'\n[[stream.op]]\ncompute_us = " + std::to_string(compute_us) +
            "\n[[stream]]\nname = 'sends'\n[[stream.op]]\npattern = 'shift'\nbytes = '49MB'\n",
        {.sharing = rule});
    return run.result.operations.front().time_us.front();
  };
  for (const SharingChoice rule : {SharingChoice::max_min, SharingChoice::occupancy}) {
    EXPECT_NEAR(time_us("0", 2 * shift_us, rule), 2 * shift_us, 1e-6);
    // All of the shift runs next to compute, which loses 20 % of that time.
    EXPECT_NEAR(time_us("0.2", 2 * shift_us, rule), 2 * shift_us + 0.2 * shift_us, packet_us);
    EXPECT_NEAR(time_us("0.2", 0.4 * shift_us, rule), 0.5 * shift_us, packet_us);
  }
}

TEST(WorkloadKinds, ComputeIsSlowedOnlyWhereACollectiveRuns) {
  const std::string stream = "[[stream]]\n[[stream.op]]\n";
  const Simulated run(star4, "ranks = 4\nprocessor_usage = 0.5\n" + stream + "compute_us = 100\n" + stream +
                                 "pattern = 'shift'\ngroups = '0:2'\nbytes = '49MB'\n");
  // Ranks 0 and 1 compute at half speed, 2 and 3 at full speed.
  EXPECT_NEAR(run.result.operations.front().time_us.front(), 200, packet_us);
  const Simulated apart(star4,
                        "ranks = 4\nprocessor_usage = 0.5\n[[stream]]\nname = 'a'\n[[stream.op]]\n"
                        "compute_us = 100\n[[stream]]\nafter = 'a'\n[[stream.op]]\npattern = 'shift'\n"
                        "bytes = '49MB'\n");
  EXPECT_NEAR(apart.time_us(), 100 + 49e6 / goodput, packet_us);
}

TEST(WorkloadKinds, ThreadsChangeNoDigitOfStreamsTogether) {
  const std::string workload =
      "ranks = 4\nprocessor_usage = 0.1\n[[stream]]\n[[stream.op]]\ncompute_us = 100\n[[stream.op]]\n"
      "collective = 'all_reduce'\nbytes = '4MB'\n[[stream]]\n[[stream.op]]\npattern = 'shift'\nbytes = "
      "'9MB'\n";
  const Simulated one(star4, workload, {.seeds = 5}), four(star4, workload, {.seeds = 5, .threads = 4});
  EXPECT_EQ(one.result.time_us, four.result.time_us);
  EXPECT_EQ(one.result.bytes_of_links, four.result.bytes_of_links);
}

}  // namespace
}  // namespace assay::model::fabric
