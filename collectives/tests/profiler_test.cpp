// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in driven as NCCL drives it: loaded by its path, found by a symbol, told of what runs, on many
// threads.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "collectives/tests/profiler_driver.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

class Profiler : public testing::Test {
 protected:
  Profiler() { unsetenv("NCCL_PROFILER_PLUGIN"); }
  ~Profiler() override { unsetenv("NCCL_PROFILER_PLUGIN"); }
};

TEST_F(Profiler, IsFoundUnderTheNameThatNccl226To230LookFor) {
  const Nccl nccl;
  ASSERT_TRUE(nccl.loaded()) << dlerror();
  EXPECT_STREQ(nccl.profiler().name, "assay");
  // NCCL would take a newer one instead, in another layout.
  for (const char* newer : {"ncclProfiler_v4", "ncclProfiler_v5", "ncclProfiler_v6"})
    EXPECT_EQ(nccl.symbol(newer), nullptr) << newer;
}

TEST_F(Profiler, HasTheLayoutOfNcclsInterface) {
  // Offsets of version 3 on x86-64 and aarch64, from NCCL 2.28.9's own header.
  EXPECT_EQ(offsetof(NcclEvent, parent), 8U);
  EXPECT_EQ(offsetof(NcclEvent, rank), 16U);
  EXPECT_EQ(offsetof(NcclEvent, collective), 24U);
  EXPECT_EQ(offsetof(NcclCollective, function), 24U);
  EXPECT_EQ(offsetof(NcclCollective, count), 48U);
  EXPECT_EQ(offsetof(NcclCollective, data_type), 64U);
  EXPECT_EQ(offsetof(NcclCollective, channels), 72U);
  EXPECT_EQ(offsetof(NcclCollective, algorithm), 80U);
  EXPECT_EQ(offsetof(NcclCollective, protocol), 88U);
  EXPECT_EQ(offsetof(NcclPointToPoint, function), 16U);
  EXPECT_EQ(offsetof(NcclPointToPoint, peer), 48U);
}

TEST_F(Profiler, AsksForGroupsCollectivesAndMessagesAndForNothingThatCostsAProxyTime) {
  const Nccl nccl;
  ASSERT_TRUE(nccl.loaded());
  const Communicator communicator(nccl, 0);
  EXPECT_EQ(communicator.mask(), 7);
  EXPECT_NE(communicator.context(), nullptr);  // else NCCL never calls finalize
}

TEST_F(Profiler, TellsTheReaderWhatRan) {
  const auto ran = open_profiler();
  ASSERT_NE(ran, nullptr);
  const Nccl nccl;
  ASSERT_TRUE(nccl.loaded());
  Communicator communicator(nccl, 3);
  EXPECT_FALSE(ran->latest());
  communicator.run("AllReduce", "TREE", "LL128", 12);
  const auto latest = ran->latest();
  ASSERT_TRUE(latest);
  EXPECT_EQ(latest->function, "AllReduce");
  EXPECT_EQ(latest->algorithm, "TREE");
  EXPECT_EQ(latest->protocol, "LL128");
  EXPECT_EQ(latest->channels, 12);
}

TEST_F(Profiler, ForgetsWhatItToldSoThatNoPointIsTakenForItsNeighbour) {
  const auto ran = open_profiler();
  const Nccl nccl;
  ASSERT_TRUE(ran != nullptr && nccl.loaded());
  Communicator communicator(nccl, 0);
  communicator.run("AllReduce", "RING", "SIMPLE", 2);
  ran->forget();
  EXPECT_FALSE(ran->latest());
  communicator.run("Broadcast", "RING", "LL", 1);
  ASSERT_TRUE(ran->latest());
  EXPECT_EQ(ran->latest()->function, "Broadcast");
}

TEST_F(Profiler, KeepsSequenceCountTypeAndRankOfEachCall) {
  const Nccl nccl;
  ASSERT_TRUE(nccl.loaded());
  const auto calls = reinterpret_cast<ProfilerCallsFunction>(nccl.symbol(profiler_calls_symbol))();
  const std::uint64_t before = calls->reported();
  Communicator communicator(nccl, 5);
  communicator.run("ReduceScatter", "PAT", "SIMPLE", 4);
  communicator.run("ReduceScatter", "PAT", "SIMPLE", 4);
  ReportedCall call{};
  ASSERT_TRUE(calls->read(before + 1, &call));
  EXPECT_EQ(call.sequence, 1U);
  EXPECT_EQ(call.count, 1024U);
  EXPECT_EQ(call.rank, 5);
  EXPECT_STREQ(call.data_type.data(), "ncclFloat32");
  EXPECT_FALSE(calls->read(before + 2, &call));
}

TEST_F(Profiler, TellsOfSendsThatNcclHasNoAlgorithmForThem) {
  const auto ran = open_profiler();
  const Nccl nccl;
  ASSERT_TRUE(ran != nullptr && nccl.loaded());
  Communicator communicator(nccl, 0);
  NcclEvent event{};
  event.kind = nccl_event_point_to_point;
  event.point_to_point = {.communicator_name = nullptr,
                          .communicator = 7,
                          .function = "Send",
                          .buffer = nullptr,
                          .data_type = "ncclInt8",
                          .count = 8,
                          .peer = 1};
  communicator.run(event);
  ASSERT_TRUE(ran->latest());
  EXPECT_EQ(ran->latest()->function, "Send");
  EXPECT_EQ(ran->latest()->algorithm, "");
  EXPECT_EQ(ran->latest()->channels, 0);
}

TEST_F(Profiler, GivesGroupsAHandleSinceOlderNcclTellsNothingWithoutOne) {
  const Nccl nccl;
  ASSERT_TRUE(nccl.loaded());
  Communicator communicator(nccl, 0);
  NcclEvent group{};
  group.kind = nccl_event_group;
  EXPECT_NE(communicator.run(group), nullptr);
}

TEST_F(Profiler, PassesOverEventsThatItDoesNotKnow) {
  const auto ran = open_profiler();
  const Nccl nccl;
  ASSERT_TRUE(ran != nullptr && nccl.loaded());
  Communicator communicator(nccl, 0);
  for (const std::uint8_t kind : {std::uint8_t{0}, std::uint8_t{8}, std::uint8_t{64}, std::uint8_t{255}}) {
    NcclEvent event{};
    event.kind = kind;
    EXPECT_EQ(communicator.run(event), nullptr) << int{kind};
  }
  EXPECT_EQ(nccl.profiler().record_event_state(nullptr, 3, nullptr), 0);
  EXPECT_FALSE(ran->latest());
}

TEST_F(Profiler, TakesTextThatNcclLacksForEmptyAndCutsWhatIsTooLong) {
  const auto ran = open_profiler();
  const Nccl nccl;
  ASSERT_TRUE(ran != nullptr && nccl.loaded());
  Communicator communicator(nccl, 0);
  communicator.run(nullptr, nullptr, nullptr, 1);
  ASSERT_TRUE(ran->latest());
  EXPECT_EQ(ran->latest()->function, "");
  EXPECT_EQ(ran->latest()->algorithm, "");
  communicator.run("AllReduce", "AN_ALGORITHM_OF_A_LATER_NCCL", "SIMPLE", 1);
  EXPECT_EQ(ran->latest()->algorithm, "AN_ALGORITHM_OF_A_LATER");
}

TEST_F(Profiler, StaysLoadedForTheReaderWhenNcclClosesIt) {
  const auto ran = open_profiler();
  ASSERT_NE(ran, nullptr);
  {
    const Nccl nccl;
    ASSERT_TRUE(nccl.loaded());
    Communicator(nccl, 0).run("AllGather", "NVLS", "SIMPLE", 16);
  }
  ASSERT_TRUE(ran->latest());
  EXPECT_EQ(ran->latest()->algorithm, "NVLS");
}

TEST_F(Profiler, IsToldBySeveralCommunicatorsOnSeveralThreadsWithoutMixingThem) {
  constexpr int threads = 4, calls_of_each = 500;
  const auto ran = open_profiler();
  const Nccl nccl;
  ASSERT_TRUE(ran != nullptr && nccl.loaded());
  const auto calls = reinterpret_cast<ProfilerCallsFunction>(nccl.symbol(profiler_calls_symbol))();
  const std::uint64_t before = calls->reported();
  std::atomic<int> mixed = 0;
  const auto look = [&] {
    const auto latest = ran->latest();
    if (latest && (latest->algorithm == "RING") != (latest->protocol == "LL")) ++mixed;
  };
  std::vector<std::thread> all;
  for (int rank = 0; rank < threads; ++rank)
    all.emplace_back([&, rank] {
      Communicator one(nccl, rank), other(nccl, rank);
      for (int call = 0; call < calls_of_each / 2; ++call) {
        one.run("AllReduce", "RING", "LL", 1);
        other.run("AllReduce", "TREE", "SIMPLE", 2);
        look();
      }
    });
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(calls->reported() - before, std::uint64_t{threads} * calls_of_each);
  EXPECT_EQ(mixed, 0);
}

TEST_F(Profiler, OpenedNamesItselfToNccl) {
  const auto ran = open_profiler();
  ASSERT_NE(ran, nullptr);
  EXPECT_EQ(std::getenv("NCCL_PROFILER_PLUGIN"), profiler_path());
  EXPECT_NE(open_profiler(), nullptr);  // its own name is no other plug-in
}

TEST_F(Profiler, LeavesThePluginThatTheUserNamedAndSaysSo) {
  setenv("NCCL_PROFILER_PLUGIN", "/opt/inspector.so", 1);
  std::string why;
  EXPECT_EQ(open_profiler(&why), nullptr);
  EXPECT_EQ(why,
            "NCCL_PROFILER_PLUGIN=/opt/inspector.so is set: NCCL reports to that plug-in (unset it, "
            "and it is "
            "recorded here)");
  EXPECT_STREQ(std::getenv("NCCL_PROFILER_PLUGIN"), "/opt/inspector.so");
}

TEST_F(Profiler, ThatIsNotThereIsNoneWithTheLoadersWords) {
  std::string why;
  EXPECT_EQ(open_profiler("/no/such/plugin.so", &why), nullptr);
  EXPECT_THAT(why, HasSubstr("/no/such/plugin.so does not load ("));
  EXPECT_THAT(why, HasSubstr("install one whole build"));
  EXPECT_EQ(std::getenv("NCCL_PROFILER_PLUGIN"), nullptr);
}

TEST_F(Profiler, OfAnotherBuildIsNone) {
  std::string why;
  EXPECT_EQ(open_profiler("libm.so.6", &why), nullptr);
  EXPECT_EQ(why, "libm.so.6 is of another build of assay: install one build");
}

TEST_F(Profiler, BehindAPathLongerThanNcclReadsIsNone) {
  std::string why;
  EXPECT_EQ(open_profiler("/" + std::string(260, 'x') + "/libnccl-profiler-assay.so", &why), nullptr);
  EXPECT_THAT(why, HasSubstr("NCCL reads 253 bytes of a plug-in's path, this has 287"));
}

}  // namespace
}  // namespace assay::collectives
