// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole points by NCCL's back end, from the team to the record, on ranks that are threads.
#include "collectives/nccl/nccl_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "collectives/nccl/tests/measured_world.hpp"

namespace assay::collectives {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using Result = core::Verification::Result;

TEST(NcclWorld, WaitsForEachIterationWhereItsLaunchBlocks) {
  const auto seen = measured({});
  expect_right(seen);
  EXPECT_EQ(seen[0].timing.each_s.size(), 20U);
  EXPECT_EQ(fake().count("all_reduce"), 3 * 22);
  EXPECT_THAT(seen[0].facts.at("time_counts"), HasSubstr("the host waits for each"));
  EXPECT_EQ(seen[0].facts.at("nccl_function"), "ncclAllReduce");
  EXPECT_EQ(seen[0].facts.at("nccl_version"), "2.28.9");
  EXPECT_EQ(seen[0].facts.at("gpu_pci_address"), "0000:00:00.0");
  EXPECT_EQ(seen[2].facts.at("gpu_pci_address"), "0000:02:00.0");
  EXPECT_FALSE(seen[0].facts.contains("not_a_performance_measurement"));
}

TEST(NcclWorld, RunsASampleAsOneGroup) {
  const auto seen = measured({.way = {.launch = Launch::group}});
  expect_right(seen);
  EXPECT_TRUE(seen[0].timing.each_s.empty());
  EXPECT_GT(seen[0].timing.seconds, 0);
  EXPECT_EQ(fake().count("all_reduce"), 3 * 22);
  EXPECT_EQ(fake().count("group_end"), 3 * 2);  // one each for the 2 and the 20 iterations
  EXPECT_THAT(seen[0].facts.at("time_counts"), HasSubstr("in one NCCL group"));
}

TEST(NcclWorld, KeepsTheOperationOnceAsAGraphAndReplaysIt) {
  const auto seen = measured({.way = {.launch = Launch::graph}});
  expect_right(seen);
  EXPECT_TRUE(seen[0].timing.each_s.empty());
  EXPECT_EQ(fake().count("all_reduce"), 3 * 2);  // to connect, and to be kept
  EXPECT_EQ(fake().count("replay"), 3 * 22);
  EXPECT_THAT(seen[0].facts.at("time_counts"), HasSubstr("replayed"));
}

TEST(NcclWorld, RunsAlgorithmsOfOurOwnAndTellsWhatTheySend) {
  for (const Launch launch : {Launch::blocking, Launch::graph})
    for (const bool registered : {false, true}) {
      const auto seen = measured({.way = {.launch = launch, .registered = registered},
                                  .algorithm = &algorithm(Operation::all_reduce, "ring")});
      expect_right(seen);
      EXPECT_EQ(seen[0].facts.at("nccl_function"), "ncclSend and ncclRecv in a group a step");
      EXPECT_EQ(seen[0].facts.at("steps"), "4");
      EXPECT_EQ(seen[0].facts.at("bytes_sent"), "160");  // 2 (3-1)/3 of 30 elements of 4 bytes
      EXPECT_FALSE(seen[0].facts.contains("nccl_algorithm"));
    }
}

TEST(NcclWorld, ChecksAReductionInPlaceOnFreshInput) {
  How how;
  how.problem.in_place = true;
  for (const Launch launch : {Launch::blocking, Launch::graph}) {
    how.way.launch = launch;
    const auto seen = measured(how);
    expect_right(seen);
    EXPECT_THAT(seen[0].verification.why, HasSubstr("one more iteration"));
  }
}

TEST(NcclWorld, RegistersBuffersOfNcclsOwnAndGivesThemBack) {
  expect_right(measured({.way = {.registered = true}}));
  for (const char* call : {"mem_alloc", "comm_register", "comm_deregister", "mem_free"})
    EXPECT_EQ(fake().count(call), 3 * 2) << call;
}

TEST(NcclWorld, ThatCannotRegisterSaysWhichNcclCan) {
  const auto seen = measured({.way = {.registered = true}, .complete = false});
  EXPECT_EQ(seen[0].failure, "NCCL 2.28.9 has no ncclMemAlloc and ncclCommRegister: registered=1 needs 2.19");
  EXPECT_TRUE(seen[0].unsupported);
}

TEST(NcclWorld, MakesSymmetricWindowsOfOneSizeAtEveryRank) {
  How how{.way = {.symmetric_window = true}};
  how.problem.operation = Operation::gather;
  how.problem.root = 1;
  expect_right(measured(how));
  for (const char* call : {"mem_alloc", "register_window", "deregister_window", "mem_free"})
    EXPECT_EQ(fake().count(call), 3 * 2) << call;
  EXPECT_EQ(fake().count("window of 40"), 3);   // a block
  EXPECT_EQ(fake().count("window of 120"), 3);  // the root's, everywhere
  EXPECT_EQ(fake().count("comm_register"), 0);
}

TEST(NcclWorld, ThatHasNoWindowsSaysWhichNcclHas) {
  const auto seen = measured({.way = {.symmetric_window = true}, .complete = false});
  EXPECT_EQ(seen[0].failure, "NCCL 2.28.9 has no ncclCommWindowRegister: window=symmetric needs 2.27");
  EXPECT_TRUE(seen[0].unsupported);
}

TEST(NcclWorld, SaysThatNcclMadeNoWindow) {
  for (const Seen& rank : measured({.way = {.symmetric_window = true}, .makes_windows = false})) {
    EXPECT_EQ(rank.failure, "window=symmetric: NCCL makes no symmetric window on these ranks");
    EXPECT_TRUE(rank.unsupported);
  }
}

TEST(NcclWorld, AsksForCopyEnginesOfACommunicator) {
  How how{.way = {.symmetric_window = true, .cta_policy = CtaPolicy::zero}};
  how.problem.operation = Operation::all_gather;
  expect_right(measured(how));
  EXPECT_EQ(fake().count("cta policy 2"), 3);
  expect_right(measured({}));
  EXPECT_EQ(fake().count("cta policy 2"), 0);
}

TEST(NcclWorld, AsksForChannelsOfACommunicator) {
  expect_right(measured({.way = {.channels = 4}}));
  EXPECT_EQ(fake().count("channels 4 to 4"), 3);
}

TEST(NcclWorld, KeepsItsCommunicatorsForTheNextPointOfASweep) {
  const NcclWay kept{.keeps_communicators = true};
  const auto seen = measured({.way = kept, .ways_before = {kept, kept}});
  expect_right(seen);
  EXPECT_EQ(fake().count("comm_init"), 3);
  EXPECT_EQ(fake().count("comm_split"), 3);
  EXPECT_EQ(fake().count("comm_destroy child"), 3);
  EXPECT_EQ(seen[0].facts.at("nccl_communicator"), "kept from a point before");
}

TEST(NcclWorld, MakesOneForEachPointThatDoesNotAskForAKeptOne) {
  const NcclWay kept{.keeps_communicators = true};
  const auto seen = measured({.way = {}, .ways_before = {kept, kept}});
  expect_right(seen);
  EXPECT_EQ(fake().count("comm_init"), 2 * 3);
  EXPECT_EQ(seen[0].facts.at("nccl_communicator"), "made for this point");
}

TEST(NcclWorld, MakesAnotherWhereTheKeptOneChoosesOtherwise) {
  const NcclWay ring{.choice = {.algorithm = "ring"}, .keeps_communicators = true};
  const NcclWay tree{.choice = {.algorithm = "tree"}, .keeps_communicators = true};
  const auto seen = measured({.way = tree, .ways_before = {ring}});
  expect_right(seen);
  EXPECT_EQ(fake().count("comm_init"), 2 * 3);
  EXPECT_EQ(seen[0].facts.at("nccl_communicator"), "made for this point");
}

TEST(NcclWorld, NoticesWrongBytesThatCameFromTheDevice) {
  const auto seen = measured({.spoils = true});
  EXPECT_EQ(seen[0].verification.result, Result::right);
  EXPECT_EQ(seen[1].verification.result, Result::wrong);
  EXPECT_THAT(seen[1].verification.why, HasSubstr("element 1 of 30: expected"));
}

TEST(NcclWorld, AbortsItsCommunicatorWhereAnOperationNeverEnds) {
  for (const Launch launch : {Launch::blocking, Launch::group, Launch::graph}) {
    How how{.way = {.launch = launch}, .groups = {{0}}, .hangs = true, .hang_limit_s = 0.005};
    how.problem.ranks = 1;
    EXPECT_THAT(measured(how)[0].failure, HasSubstr("ncclAllReduce: no end within "));
    EXPECT_EQ(fake().count("comm_abort child"), 1);
    EXPECT_EQ(fake().count("comm_destroy parent"), 1);
  }
}

TEST(NcclWorld, GivesEveryGroupACommunicator) {
  How how;
  how.groups = {{0, 3}, {4, 1}};
  how.problem.ranks = 2;
  const auto seen = measured(how);
  for (const int rank : {0, 1, 3, 4}) {
    const Seen& one = seen[static_cast<std::size_t>(rank)];
    EXPECT_EQ(one.failure, "");
    EXPECT_EQ(one.verification.result, Result::right) << one.verification.why;
  }
  EXPECT_EQ(seen[2].verification.result, Result::not_checked);
  EXPECT_EQ(fake().count("comm_destroy child"), 4);
  EXPECT_EQ(fake().count("comm_destroy parent"), 5);
}

TEST(NcclWorld, TellsWhatRanAndWhereThatWasNotAsked) {
  const auto seen =
      measured({.way = {.choice = {.algorithm = "ring"}},
                .ran = std::make_shared<Reported>(RanCollective{"AllReduce", "TREE", "LL", 4})});
  expect_right(seen);
  EXPECT_EQ(fake().count("NCCL_ALGO=allreduce:ring"), 3);
  EXPECT_EQ(seen[0].facts.at("nccl_algorithm"), "TREE");
  EXPECT_EQ(seen[0].facts.at("nccl_protocol"), "LL");
  EXPECT_EQ(seen[0].facts.at("nccl_channels"), "4");
  EXPECT_EQ(seen[0].facts.at("nccl_forced"), "asked ring, ran tree");
  EXPECT_EQ(seen[0].facts.at("busbw_is_wire_rate"), "no: in a tree not every rank sends the same");
}

TEST(NcclWorld, SaysThatNothingWasTold) {
  const auto seen = measured({.way = {.choice = {.protocol = "ll"}}});
  EXPECT_EQ(seen[0].facts.at("nccl_algorithm"), "unknown");
  EXPECT_EQ(seen[0].facts.at("nccl_algorithm_note"), "no profiler plug-in");
  EXPECT_EQ(seen[0].facts.at("nccl_forced"), "unknown");
}

TEST(NcclWorld, RefusesAChoiceThatTheNodesDoNotAllow) {
  const auto seen = measured({.way = {.choice = {.algorithm = "nvls_tree"}}});
  for (const Seen& rank : seen) {
    EXPECT_THAT(rank.failure, EndsWith("NCCL has nvls_tree across nodes only"));
    EXPECT_TRUE(rank.unsupported);
  }
}

TEST(NcclWorld, RefusesMoreRanksThanGpusAndSaysHow) {
  for (const Seen& rank : measured({.devices = 2})) {
    EXPECT_THAT(rank.failure,
                EndsWith("ranks 0 and 2 share the GPU 0000:00:00.0 of h1: start one rank a GPU, or give "
                         "--ranks-share-gpu to check correctness only"));
    EXPECT_TRUE(rank.unsupported);
  }
}

TEST(NcclWorld, StampsWhatRanksOnOneGpuMeasured) {
  const auto seen = measured({.devices = 1, .share = true});
  expect_right(seen);
  EXPECT_EQ(seen[0].facts.at("not_a_performance_measurement"),
            "true: ranks 0 and 1 share the GPU 0000:00:00.0 of h1, where their kernels run in turns");
  for (const char* told : {"NCCL_HOSTID=assay-rank-2", "NCCL_HOSTID=assay-rank-0"})
    EXPECT_EQ(fake().count(told), 1) << told;
  EXPECT_EQ(fake().count("NCCL_SOCKET_IFNAME=lo"), 3);
}

TEST(NcclWorld, NamesARankWithoutAGpu) {
  for (const Seen& rank : measured({.devices = 0}))
    EXPECT_THAT(rank.failure, HasSubstr("rank 2 (h1): this rank sees no GPU"));
}

TEST(NcclWorld, NamesARankThatFailsBeforeAnyoneWaitsInNccl) {
  const auto seen = measured({.failing_rank = 1});
  EXPECT_EQ(seen[0].failure, "rank 1 (h1): out of memory");
  EXPECT_EQ(seen[1].failure, "out of memory");
  EXPECT_EQ(seen[2].failure, "rank 1 (h1): out of memory");
  EXPECT_EQ(fake().count("comm_init"), 0);
}

}  // namespace
}  // namespace assay::collectives
