// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL as a party of a contest, on two GPUs of threads: both ranks sum up, whoever else runs, and what fails
// is told and left to nobody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"
#include "offload/interference/device/device_contest.hpp"
#include "offload/interference/device/device_contest_limits.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/tests/fakes/simulated_nccl.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using enum core::Verification::Result;
using cuda::simulated::gpu;
using tests::nccl;

class NcclOnThreads : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("ASSAY_NCCL", OFFLOAD_SIMULATED_NCCL, 1); }
  void SetUp() override {
    if (cuda::context_is_lost()) GTEST_SKIP() << "another test of this process lost the simulated GPU";
    gpu().devices = 2;
    gpu().forbidden_calls = 0;
  }
  void TearDown() override {
    gpu().devices = 1;
    nccl().communicators_fail = nccl().reductions_are_wrong = false;
    EXPECT_EQ(nccl().communicators, 0) << "communicators are left over";
  }
};

DeviceContestSettings small_nccl_contest(DeviceLoadKind victim, DeviceLoadKind aggressor, int blocks) {
  return {.victim = victim,
          .aggressor = aggressor,
          .blocks = blocks,
          .round_s = 2e-3,
          .loads = {.bytes = 3 * core::mib, .victim_blocks = 4}};
}

void expect_a_contest(DeviceLoadKind victim, DeviceLoadKind aggressor) {
  SCOPED_TRACE(to_string(victim) + " beside " + to_string(aggressor));
  DeviceContest contest(small_nccl_contest(victim, aggressor, is_resident(aggressor) ? 2 : 1), 0);
  bool moves = false;
  for (int sample = 0; sample < 200 && !moves; ++sample) moves = contest.run().times.aggressor_gb_per_s > 0;
  EXPECT_EQ(moves, aggressor != DeviceLoadKind::spin);
  EXPECT_EQ(gpu().forbidden_calls, 0);
  EXPECT_EQ(contest.verify().result, right) << contest.verify().why;
}

TEST_F(NcclOnThreads, IsAnAggressorBesideEveryVictim) {
  for (const auto victim : {DeviceLoadKind::stream, DeviceLoadKind::copy_d2h, DeviceLoadKind::sm_copy_h2d})
    expect_a_contest(victim, DeviceLoadKind::nccl);
}

TEST_F(NcclOnThreads, IsAVictimBesideEveryAggressor) {
  for (const auto aggressor :
       {DeviceLoadKind::spin, DeviceLoadKind::stream, DeviceLoadKind::sm_copy_d2h, DeviceLoadKind::copy_h2d})
    expect_a_contest(DeviceLoadKind::nccl, aggressor);
}

TEST_F(NcclOnThreads, TellsItsMessageItsPeerAndItsVersion) {
  DeviceContest contest(small_nccl_contest(DeviceLoadKind::stream, DeviceLoadKind::nccl, 1), 1);
  std::map<std::string, core::Fact::second_type> facts;
  for (const auto& [name, value] : contest.facts()) facts[name] = value;
  EXPECT_EQ(facts.at("aggressor_nccl_message_bytes"), core::Fact::second_type(3 * core::mib));
  EXPECT_EQ(facts.at("aggressor_nccl_peer_gpu"), core::Fact::second_type(std::int64_t{0}))
      << "the first after the last";
  EXPECT_TRUE(facts.contains("aggressor_nccl_version"));
}

TEST_F(NcclOnThreads, IsFedUrgentlySoThatTheVictimsBlocksDoNotKeepItWaiting) {
  gpu().urgent_streams = 0;
  const DeviceContest copies(small_nccl_contest(DeviceLoadKind::stream, DeviceLoadKind::copy_h2d, 1), 0);
  EXPECT_EQ(gpu().urgent_streams, 0);
  const DeviceContest sums(small_nccl_contest(DeviceLoadKind::stream, DeviceLoadKind::nccl, 1), 0);
  EXPECT_EQ(gpu().urgent_streams, 1);
}

TEST_F(NcclOnThreads, AWrongSumIsFound) {
  nccl().reductions_are_wrong = true;
  DeviceContest victim(small_nccl_contest(DeviceLoadKind::nccl, DeviceLoadKind::spin, 1), 0);
  victim.run();
  EXPECT_EQ(victim.verify().why, "victim: nccl: element 0 on GPU 0 is 1, expected 0");
  DeviceContest aggressor(small_nccl_contest(DeviceLoadKind::stream, DeviceLoadKind::nccl, 1), 0);
  aggressor.run();
  EXPECT_EQ(aggressor.verify().why, "aggressor: nccl: element 0 on GPU 0 is 1, expected 0");
}

TEST_F(NcclOnThreads, CommunicatorsThatCannotBeMadeAreToldInItsWords) {
  nccl().communicators_fail = true;
  EXPECT_EQ(
      message_of([] { DeviceContest(small_nccl_contest(DeviceLoadKind::nccl, DeviceLoadKind::spin, 1), 0); }),
      "make NCCL's communicators of two GPUs: invalid usage (the simulated library's own words)");
}

TEST_F(NcclOnThreads, NeedsASecondGpuWithItsMemory) {
  EXPECT_EQ(nccl_unavailable(1), "nccl reduces with a second GPU, and this process sees 1");
  EXPECT_EQ(nccl_unavailable(2), std::nullopt);
  EXPECT_EQ(nccl_peer(0, 8), 1);
  EXPECT_EQ(nccl_peer(7, 8), 0);
  auto settings = small_nccl_contest(DeviceLoadKind::stream, DeviceLoadKind::nccl, 1);
  ContestLimits limits = contest_limits(settings, 0);
  EXPECT_EQ(limits.gpus, 2);
  EXPECT_GT(limits.free_peer_bytes, 0);
  EXPECT_EQ(cannot_contest(settings, limits), std::nullopt);
  limits.free_peer_bytes = 1000;
  EXPECT_EQ(cannot_contest(settings, limits),
            "the device memory of the peer needs 6291456 bytes and 1000 are available");
  ContestLimits little = contest_limits(settings, 0);
  little.available_host_bytes = 1000;
  EXPECT_EQ(
      cannot_contest(settings, little),
      "the host memory of the victim and its aggressor, and of their check needs 4194304 bytes and 1000 "
      "are available");
  settings.blocks = 0;
  EXPECT_EQ(cannot_contest(settings, limits), std::nullopt) << "nobody needs no peer";
}

}  // namespace
}  // namespace assay::offload
