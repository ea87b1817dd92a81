// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/peers/tests/read_text.hpp"

namespace assay::results::peers {
namespace {

using test::doubts_of;
using test::points_of;
using test::read;
using test::refusals_of;
using test::replaced;
using test::values_of;
using test::with_prefix;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string heading =
    "#                                                     out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
    "busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  "
    "(GB/s)\n";
const std::string head =
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 2 minBytes 1000000 maxBytes 4000000 step: 4(factor) warmup iters: 5 iters: 20 agg "
    "iters: 1 "
    "validation: 1 graph: 0\n"
    "#\n# Using devices\n"
    "#  Rank  0 Group  0 Pid   700 on       node3 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid   700 on       node3 device  1 [0000:43:00] NVIDIA H100 80GB HBM3\n#\n" +
    heading;
const std::string small =
    "     1000000        250000     float     sum      -1    50.00   20.00   20.00      0    40.00   25.00   "
    "25.00      0\n";
const std::string large =
    "     4000000       1000000     float     sum      -1    100.0   40.00   40.00      0    100.0   40.00   "
    "40.00      0\n";
const std::string total = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 31.25\n#\n";
const std::string run = head + small + large + total;

TEST(NcclTestsText, HasTwoPointsARow) {
  const PeerFile file = read(run);
  EXPECT_THAT(values_of(file), ElementsAre(50, 40, 100, 100));
  const PeerPoint point = points_of(file)[1];
  EXPECT_EQ(point.host, "node3");
  EXPECT_EQ(point.case_name, "collectives.nccl.all_reduce");
  EXPECT_EQ(point.ranks, 2);
  EXPECT_EQ(point.line, 11);
  EXPECT_EQ(point.statistic, "mean over iterations, of the slowest GPU");
  EXPECT_EQ(doubts_of(file), "");
  EXPECT_EQ(refusals_of(file), "");
}

TEST(NcclTestsText, IsReadUnderPrefixesOfLaunchersAndEachOther) {
  for (const char* prefix :
       {"[1,0]<stdout>:", "[prterun-node3-77@1,0]<stdout>: ", " 0: ", "node3: ", "node3:  0: ",
        "2026-02-04T01:00:00.5Z ", "[pod/worker-0/nccl] ", "Feb  4 01:00:00 node3 slurmd[7]: "}) {
    const PeerFile file = read(with_prefix(run, prefix));
    EXPECT_THAT(values_of(file), ElementsAre(50, 40, 100, 100)) << prefix;
    EXPECT_EQ(doubts_of(file), "prefixed") << prefix;
  }
}

TEST(NcclTestsText, IsReadWithOtherEndsOfLinesAndColours) {
  EXPECT_THAT(values_of(read(replaced(run, "\n", "\r\n"))), ElementsAre(50, 40, 100, 100));
  EXPECT_THAT(values_of(read(replaced(run, "50.00", "\x1b[32m50.00\x1b[0m"))), ElementsAre(50, 40, 100, 100));
}

TEST(NcclTestsText, HasNoRowOfALineThatIsCutOrInterrupted) {
  const PeerFile cut = read(head + small + large.substr(0, large.size() - 1));
  EXPECT_THAT(values_of(cut), ElementsAre(50, 40));
  EXPECT_EQ(doubts_of(cut), "cut");
  const PeerFile torn =
      read(head + small + replaced(large, "1000000 ", "100node3: Warning 12\n0000 ") + total);
  EXPECT_THAT(values_of(torn), ElementsAre(50, 40));
  EXPECT_EQ(doubts_of(torn), "unparsed_lines");
}

TEST(NcclTestsText, LeavesOutLinesOfNcclBetweenRows) {
  const PeerFile file =
      read(head + small + "node3:700:712 [0] NCCL INFO Channel 00/08 : 0 1\n" + large + total);
  EXPECT_THAT(values_of(file), ElementsAre(50, 40, 100, 100));
  EXPECT_EQ(doubts_of(file), "");
}

TEST(NcclTestsText, IsRefusedWhereSizeTimeAndRateDisagree) {
  const PeerFile file = read(replaced(run, "50.00", "5.000"));
  EXPECT_THAT(values_of(file), ElementsAre(40, 100, 100));
  EXPECT_EQ(refusals_of(file), "11: size 1000000 over time is not the printed algbw: the row was left out");
}

TEST(NcclTestsText, IsRefusedWithCommasInNumbers) {
  EXPECT_EQ(refusals_of(read(replaced(run, "50.00", "50,00"))),
            "11: a row with commas in its numbers: expected decimal points, and no groups");
}

TEST(NcclTestsText, IsWrongWhereElementsAre) {
  const PeerFile file = read(replaced(run, "20.00      0", "20.00  1.57286e+06"));
  EXPECT_EQ(points_of(file)[0].status, Status::wrong);
  EXPECT_EQ(points_of(file)[1].status, Status::ok);
  EXPECT_EQ(doubts_of(file), "wrong_results");
}

TEST(NcclTestsText, IsNotCheckedWithoutValidation) {
  const PeerFile file = read(replaced(run, "20.00      0", "20.00    N/A"));
  EXPECT_EQ(points_of(file)[0].verification, Verification::Result::not_checked);
  EXPECT_EQ(points_of(file)[1].verification, Verification::Result::right);
}

TEST(NcclTestsText, FailsWithTheToolsOwnWords) {
  const PeerFile file =
      read(head + small +
           "node3: Test timeout (30s) all_reduce.cu:9\n .. node3 pid 700: Test failure common.cu:1\n");
  ASSERT_EQ(points_of(file).size(), 3);
  EXPECT_EQ(points_of(file)[2].status, Status::timeout);
  EXPECT_EQ(points_of(file)[2].reason, "Test timeout (30s) all_reduce.cu:9");
  EXPECT_EQ(points_of(read(head)).front().status, Status::failed);
}

TEST(NcclTestsText, HasNoTimeWhereItIsThatOfLaunching) {
  const PeerFile file = read(replaced(run, "    time", " cputime"));
  EXPECT_FALSE(points_of(file)[0].value.has_value());
  EXPECT_EQ(points_of(file)[0].metrics.front().name, "algbw_gb_per_s");
  EXPECT_EQ(doubts_of(file), "cpu_time");
}

TEST(NcclTestsText, HasTheRanksOfAGroupWhereDevicesAreSplit) {
  const std::string four =
      replaced(head, "#\n" + heading,
               "#  Rank  2 Group  1 Pid   701 on       node3 device  2 [0000:1c:00] NVIDIA H100\n"
               "#  Rank  3 Group  1 Pid   701 on       node3 device  3 [0000:44:00] NVIDIA H100\n#\n" +
                   heading);
  const PeerFile file = read(four + small + large + total);
  EXPECT_EQ(points_of(file)[0].ranks, 2);
  EXPECT_EQ(doubts_of(file), "ranks_derived");
  EXPECT_THAT(refusals_of(read(replaced(run, "20.00   20.00", "20.00   26.00"))),
              HasSubstr("does not fit 2 devices"));
}

TEST(NcclTestsText, NeedsTheOperationFromThePathBeforeItWasPrinted) {
  const std::string older = replaced(run, "# Collective test starting: all_reduce_perf\n", "");
  EXPECT_EQ(doubts_of(read(older, "logs/all_reduce-1.txt")), "operation_from_path");
  const auto operation_of = [&](const std::string& path) {
    return points_of(read(older, path))[0].case_name;
  };
  for (const char* path : {"nccl_allreduce.log", "nccl-all-reduce.txt", "gx01/AllReduce_8.log"})
    EXPECT_EQ(operation_of(path), "collectives.nccl.all_reduce") << path;
  for (const char* path : {"small_reduction.log", "nccl_allreduced.txt", "allgather_and_allreduce.log"})
    EXPECT_THAT(refusals_of(read(older, path)), StartsWith("1: the operation")) << path;
  EXPECT_THAT(refusals_of(read(older, "logs/1.txt")),
              StartsWith("1: the operation is in the file only since"));
  EXPECT_THAT(refusals_of(read(older, "reduce_and_gather.txt")), StartsWith("1: the operation"));
}

TEST(NcclTestsText, TakesTheOperationOfTheCommandThatTheLogShows) {
  const std::string older = replaced(run, "# Collective test starting: all_reduce_perf\n", "");
  const std::string command = "+ srun -N2 /opt/nccl-tests/build/all_reduce_perf -b 8 -e 8G\n";
  const PeerFile file = read(command + older, "logs/1.txt");
  EXPECT_EQ(points_of(file)[0].case_name, "collectives.nccl.all_reduce");
  EXPECT_THAT(doubts_of(file), HasSubstr("operation_from_command"));
  // The command of the run before is not this one's; two programs on a line are none.
  const PeerFile second = read(command + older + older, "logs/1.txt");
  EXPECT_THAT(refusals_of(second), HasSubstr("the operation is in the file only since"));
  EXPECT_THAT(refusals_of(read("./all_reduce_perf && ./all_gather_perf\n" + older, "1.txt")),
              HasSubstr("the operation"));
}

TEST(NcclTestsText, DerivesTheRanksWhereDevicesAreMissingFromTheList) {
  std::string eight = replaced(run, "Rank  1", "Rank  7");
  for (const auto& [two_ranks, eight_ranks] : {std::pair{"20.00   20.00", "20.00   35.00"},
                                               {"25.00   25.00", "25.00   43.75"},
                                               {"40.00   40.00", "40.00   70.00"}})
    eight = replaced(eight, two_ranks, eight_ranks);
  const PeerFile file = read(eight);
  EXPECT_EQ(points_of(file)[0].ranks, 8);
  EXPECT_THAT(doubts_of(file), HasSubstr("ranks_derived"));
}

TEST(NcclTestsText, IsReadWhereOnlyTablesWereKept) {
  const std::string table = heading + small + large + total;
  const PeerFile file = read(
      "$ mpirun -np 2 ./all_reduce_perf -b 1M\n" + table + "$ ./all_gather_perf\n" +
      replaced(replaced(replaced(table, "20.00   20.00", "20.00   10.00"), "25.00   25.00", "25.00   12.50"),
               "40.00   40.00", "40.00   20.00"));
  ASSERT_EQ(file.blocks.size(), 2U) << refusals_of(file);
  EXPECT_EQ(points_of(file)[0].case_name, "collectives.nccl.all_reduce");
  EXPECT_EQ(points_of(file)[4].case_name, "collectives.nccl.all_gather");
  EXPECT_EQ(points_of(file)[4].ranks, 2);
  EXPECT_EQ(read(run).blocks.size(), 1U);
}

TEST(NcclTestsText, IsReadWhereItIsIndented) {
  EXPECT_EQ(values_of(read(with_prefix(run, "    "))), values_of(read(run)));
}

TEST(NcclTestsText, TakesLargestDeviationsBefore213ForWhatTheProgramTookThem) {
  const std::string older = replaced(replaced(replaced(run, "#wrong", " error"), "redop    root", "redop"),
                                     "     sum      -1", "     sum");
  const PeerFile right = read(replaced(older, "20.00      0", "20.00  4e-07"));
  EXPECT_EQ(points_of(right)[0].status, Status::ok);
  const PeerFile wrong = read(replaced(replaced(older, "20.00      0", "20.00  2e-03"), "0 OK", "1 FAILED"));
  EXPECT_EQ(points_of(wrong)[0].status, Status::wrong);
  EXPECT_EQ(points_of(wrong)[1].status, Status::ok);
}

TEST(NcclTestsText, HasSeveralRunsInAFile) {
  const PeerFile file = read(run + "+ srun all_reduce_perf\n" + run);
  ASSERT_EQ(file.blocks.size(), 2);
  EXPECT_EQ(values_of(file).size(), 8);
  EXPECT_THAT(doubts_of(file), HasSubstr("two_runs"));
}

TEST(NcclTestsText, IsNotOfMilliseconds) {
  EXPECT_THAT(refusals_of(read(replaced(run, "(us)", "(ms)"))), HasSubstr("expected times in (us)"));
}

}  // namespace
}  // namespace assay::results::peers
