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
using testing::ElementsAre;
using testing::HasSubstr;

const std::string rule(87, '-');
const std::string perftest =
    rule +
    "\n                    RDMA_Write BW Test\n Dual-port       : OFF\t\tDevice         : mlx5_0\n"
    " Number of qps   : 1\t\tTransport type : IB\n Connection type : RC\t\tUsing SRQ      : OFF\n"
    " TX depth        : 128\n rdma_cm QPs\t : OFF\n" +
    rule + "\n local address: LID 0x01 QPN 0x011a PSN 0x01\n remote address: LID 0x01 QPN 0x02c4 PSN 0x02\n" +
    rule +
    "\n #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
    " 1048576    5000             0.00               1000.00\t\t     0.001000\n" +
    rule + "\n";

TEST(PerftestText, CountsMegabytesOf2To20) {
  const PeerFile file = read(perftest);
  EXPECT_THAT(values_of(file), ElementsAre(testing::DoubleNear(1.048576, 1e-12)));
  EXPECT_EQ(points_of(file)[0].metrics.size(), 1);  // a peak of 0 was not measured
  EXPECT_EQ(doubts_of(file), "host_unknown");
}

TEST(PerftestText, ReadsPairsOfALineThatATerminalMadeBlanksOf) {
  const PeerFile copied = read(replaced(perftest, "\t\t", "           "));
  const PeerFile written = read(perftest);
  EXPECT_EQ(points_of(copied)[0].axes, points_of(written)[0].axes);
  EXPECT_EQ(points_of(copied)[0].conditions, points_of(written)[0].conditions);
  EXPECT_EQ(find(points_of(copied)[0].axes, "qps")->index(),
            find(points_of(written)[0].axes, "qps")->index());
}

TEST(PerftestText, ReadsTwoEndsWhoseLinesInterleaveAsOneRun) {
  std::string twice;
  for (std::size_t at = 0; at < perftest.size();) {
    const std::size_t end = perftest.find('\n', at) + 1;
    const std::string line = perftest.substr(at, end - at);
    twice += line.starts_with(" 1048576") ? line : line + line;
    at = end;
  }
  const PeerFile file = read(twice);
  EXPECT_EQ(file.blocks.size(), 1U);
  EXPECT_THAT(values_of(file), ElementsAre(testing::DoubleNear(1.048576, 1e-12)));
  EXPECT_EQ(points_of(file)[0].status, Status::ok);
}

TEST(PerftestText, RefusesARateOfAnotherUnit) {
  EXPECT_THAT(refusals_of(read(replaced(perftest, "MB/sec", "Gb/sec"))),
              HasSubstr("13: size 1048576: the message rate"));
  EXPECT_THAT(refusals_of(read(replaced(perftest, "[MB/sec]", "[kB/sec]"))), HasSubstr("12: unit 'kB/sec'"));
}

TEST(PerftestText, CountsBothEndsOfALoopOnce) {
  const std::string other =
      replaced(replaced(replaced(perftest, "0x011a PSN 0x01", "A"), "0x02c4 PSN 0x02", "0x011a PSN 0x01"),
               "QPN A", "QPN 0x02c4 PSN 0x02");
  const PeerFile file = read(perftest + other);
  EXPECT_EQ(points_of(file).size(), 1);
  EXPECT_THAT(doubts_of(file), HasSubstr("same_result_twice"));
}

TEST(PerftestText, IsDoubtedWhereThePathNamesOtherEndsThanTheFile) {
  const PathFacts path{.path = "gx13-gx14/bw.txt", .host = "gx13", .other_host = "gx14"};
  const auto read_under = [&](const std::string& host) {
    return read_peer_text(test::with_prefix(perftest, host + ": "), path, {});
  };
  const PeerFile own = read_under("gx14"), other = read_under("gx99");
  EXPECT_THAT(doubts_of(own), testing::Not(HasSubstr("host_differs")));
  EXPECT_THAT(doubts_of(other), HasSubstr("host_differs"));
  EXPECT_THAT(points_of(own)[0].hosts, ElementsAre("gx13", "gx14"));
}

TEST(PerftestText, RefusesCyclesUnderAHeadingOfMicroseconds) {
  const std::string latency = replaced(replaced(perftest, "BW Test", "Latency Test"),
                                       "BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n 1048576    "
                                       "5000             0.00               1000.00\t\t     0.001000",
                                       "t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]\n#, "
                                       "cycles\n1, 4400\n 2 1000 4400 4500 4401 4402");
  EXPECT_THAT(refusals_of(read(latency)), HasSubstr("cycles of the processor"));
}

const std::string json =
    "{\ntest_info: {\ntest: RDMA_Read_BW_Test,\nDevice: \"mlx5_1\",\nTX_depth : 128,\n},\nresults: "
    "{\nMsgSize: 1000000,\n"
    "n_iterations: 1000,\nBW_peak: 80.10,\nBW_average: 80.00,\nMsgRate: 0.010000,\n},\n}\n";

TEST(PerftestJson, HasTheUnitThatTheMessageRateDecides) {
  const PeerFile file = read(json);
  EXPECT_THAT(values_of(file), ElementsAre(10));
  EXPECT_THAT(doubts_of(file), HasSubstr("invalid_json unit_derived"));
  EXPECT_THAT(refusals_of(read(replaced(json, "0.010000", "0.020000"))),
              HasSubstr("its unit is not written"));
  EXPECT_THAT(refusals_of(read(replaced(json, "MsgRate", "BW_average"))),
              HasSubstr("key 'BW_average' is there twice"));
}

const std::string nvbandwidth =
    "nvbandwidth Version: v0.8\nCUDA Runtime Version: 12040\nDriver Version: 550.54.15\n\nnode3\n"
    "Device 0: NVIDIA H100 (00000000:1b:00)\nDevice 1: NVIDIA H100 (00000000:43:00)\n\nRunning "
    "device_to_device_memcpy_write_ce.\n"
    "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n           0         1\n 0       N/A    200.00\n 1  "
    "  100.00       N/A\n\n"
    "SUM device_to_device_memcpy_write_ce 300.00\n\nNOTE: The reported results may not reflect\n";

TEST(NvbandwidthText, GoesByTheNameAgainstTheArrow) {
  const PeerFile file = read(nvbandwidth);
  EXPECT_THAT(values_of(file), ElementsAre(200, 100));
  EXPECT_EQ(points_of(file)[0].host, "node3");
  EXPECT_EQ(points_of(file)[0].axes.front(), core::Fact("from", std::int64_t{0}));
  EXPECT_EQ(points_of(read(replaced(nvbandwidth, "write", "read")))[0].axes.front(),
            core::Fact("from", std::int64_t{1}));
}

TEST(NvbandwidthText, RefusesAMatrixThatLacksARowAndFailsOfZero) {
  EXPECT_THAT(refusals_of(read(replaced(nvbandwidth, " 1    100.00       N/A\n", ""))),
              HasSubstr("the cells add up to 200"));
  const PeerFile zero = read(replaced(replaced(nvbandwidth, "200.00", "0.00"), "300.00", "100.00"));
  EXPECT_EQ(points_of(zero)[0].status, Status::failed);
}

TEST(GpuBurnText, IsWrongWhereAnErrorWasAnywhere) {
  const std::string burn =
      "Burning for 60 seconds.\nInitialized device 0 with 81089 MB of memory, using FLOATS\n"
      "\r10.0%  proc'd: 28 (4000 Gflop/s)   errors: 2  (WARNING!)  temps: 61 C \n\tSummary at:   Wed Feb  4 "
      "02:11:09 UTC 2026\n"
      "\r90.0%  proc'd: 56 (4200 Gflop/s)   errors: 0   temps: 61 C \nTested 1 GPUs:\n\tGPU 0: OK\n";
  const PeerFile file = read(burn);
  EXPECT_THAT(values_of(file), ElementsAre(4.1));
  EXPECT_EQ(points_of(file)[0].status, Status::wrong);
  EXPECT_EQ(points_of(file)[0].started, "2026-02-04T02:11:09Z");
  const auto started = [&](const char* clock) {
    return points_of(read(replaced(burn, "02:11:09 UTC", clock)))[0].started;
  };
  EXPECT_EQ(started("02:11:09 PM UTC"), "2026-02-04T14:11:09Z");
  EXPECT_EQ(started("12:11:09 AM UTC"), "2026-02-04T00:11:09Z");
  EXPECT_EQ(started("14:11:09 PM UTC"), "");
  const PeerFile dead = read(replaced(burn, "errors: 0 ", "errors: -1  (DIED!)"));
  EXPECT_EQ(points_of(dead)[0].status, Status::failed);
  EXPECT_FALSE(points_of(dead)[0].value.has_value());
}

TEST(GpuBurnText, OfOlderVersionsBeginsWithTheListOfGpusOrWithProgress) {
  const std::string list = "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-b876c63f)\n";
  const std::string run =
      "50.0%  proc'd: 28 (4000 Gflop/s)   errors: 0   temps: 61 C \n"
      "100.0%  proc'd: 56 (4200 Gflop/s)   errors: 0   temps: 61 C \nTested 1 GPUs:\n\tGPU 0: OK\n";
  for (const std::string& one : {run, list + run}) {
    EXPECT_THAT(values_of(read(one)), ElementsAre(4.1)) << one;
    EXPECT_THAT(values_of(read(one + one)), ElementsAre(4.1, 4.1)) << one;
  }
  EXPECT_EQ(find(points_of(read(list + run))[0].conditions, "gpu_name") != nullptr, true);
  EXPECT_TRUE(read(list).blocks.empty());
}

TEST(BabelStreamText, IsReadUnderItsNameBeforeVersion3) {
  const std::string run =
      "GPU-STREAM\nVersion: 2.0\nImplementation: Reference OpenMP\nRunning kernels 100 times\nPrecision: "
      "double\n"
      "Array size: 268.4 MB (=0.3 GB)\nTotal size: 805.3 MB (=0.8 GB)\n"
      "Function    MBytes/sec  Min (sec)   Max         Average     \n"
      "Copy        88171.606   0.00609     0.00614     0.00611     \n";
  const PeerFile file = read(run);
  EXPECT_THAT(values_of(file), ElementsAre(testing::DoubleNear(2 * 268.4e6 / 0.00611 * 1e-9, 1e-3)));
  EXPECT_EQ(refusals_of(file), "");
  EXPECT_EQ(file.blocks.front().findings.version, "2.0");
}

TEST(OsuText, HasNoBytesOfABlockWithoutRanks) {
  const std::string gather =
      "# OSU MPI Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n1024  10.00\n";
  EXPECT_EQ(points_of(read(gather))[0].case_name, "peers.osu.all_gather");
  EXPECT_THAT(doubts_of(read(gather)), HasSubstr("bytes_unknown"));
  const PeerPoint point = points_of(read(gather, "8ranks/a.txt"))[0];
  EXPECT_EQ(point.case_name, "collectives.mpi.all_gather");
  EXPECT_EQ(number_in(point.axes, "bytes"), 8192);
}

TEST(OsuText, SaysWhereATimeIsAMeanOverRanks) {
  const core::Fact mean_over_ranks("averaged_over", std::string("ranks"));
  const std::string rows = "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n8  10.00\n";
  EXPECT_THAT(points_of(read(rows))[0].conditions, testing::Contains(mean_over_ranks));
  const std::string extremes = replaced(replaced(rows, "(us)", "(us)   Min Latency(us)   Max Latency(us)"),
                                        "10.00", "10.00   9.00   12.00");
  EXPECT_THAT(points_of(read(extremes))[0].conditions, testing::Not(testing::Contains(mean_over_ranks)));
}

TEST(HplText, HasNoRunningRateAndNoneOfAGpu) {
  const std::string hpl =
      "HPLinpack 2.3  --  High-Performance Linpack benchmark\nColumn=000000192 Fraction= 0.2% "
      "Gflops=1.301e+01\n"
      "T/V                N    NB     P     Q         Time          Gflops (   per GPU)\n"
      "WR11C2R4       10000   192     4     8         66.68      1.0000e+01 ( 1.2500e+00)\n"
      "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=     3.1e-03 ...... FAILED\nEnd of Tests.\n";
  const PeerFile file = read(hpl);
  EXPECT_THAT(values_of(file), ElementsAre(0.01));
  EXPECT_EQ(points_of(file)[0].status, Status::wrong);
}

TEST(PeerFile, RefusesBytesThatAreNoTextAndFilesOfNoTool) {
  EXPECT_THAT(refusals_of(read(perftest + std::string("a\0b\n", 4))),
              HasSubstr("15: the line holds a zero byte"));
  EXPECT_THAT(refusals_of(read(perftest + "\xff\n")), HasSubstr("15: the line is not UTF-8"));
  EXPECT_EQ(refusals_of(read("gx70: hello\n")), "1: no result of a tool that assay import knows");
  EXPECT_EQ(refusals_of(read("")), "1: no result of a tool that assay import knows");
  EXPECT_EQ(refusals_of(read(std::string(100000, '['))), "1: no result of a tool that assay import knows");
}

}  // namespace
}  // namespace assay::results::peers
