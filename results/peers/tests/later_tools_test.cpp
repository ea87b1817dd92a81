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
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string likwid_rule(80, '-');
const std::string likwid =
    likwid_rule + "\nLIKWID MICRO BENCHMARK\nTest: copy_mem_avx\n" + likwid_rule +
    "\nUsing 1 work groups\nUsing 4 threads\n" + likwid_rule +
    "\nCycles:\t\t\t5200000000\nCPU Clock:\t\t2600000000\nTime:\t\t\t2.000000e+00 sec\n"
    "Iterations:\t\t1000\nIterations per thread:\t250\nSize (Byte):\t\t64000000\n"
    "Data volume (Byte):\t16000000000\nMByte/s:\t\t8000.00\nCycles per update:\t1.3\n" +
    likwid_rule + "\n";

TEST(LikwidBenchText, CountsReadAndWrittenBytesAsAssayDoes) {
  const PeerFile file = read(likwid);
  EXPECT_THAT(values_of(file), ElementsAre(DoubleNear(8, 1e-12)));
  const PeerPoint point = points_of(file)[0];
  EXPECT_EQ(point.case_name, "memory.host.copy");
  EXPECT_EQ(point.axes, (Fields{{"bytes", std::int64_t{64000000}},
                                {"threads", std::int64_t{4}},
                                {"variant", std::string("mem_avx")}}));
  EXPECT_EQ(point.executions, 250);
}

TEST(LikwidBenchText, BeginsWithItsAllocations) {
  const std::string before =
      "Running without Marker API. Activate Marker API with -m on commandline.\n"
      "Allocate: Process running on hwthread 0 (Domain S0) - Vector length 4000000/32000000\n";
  EXPECT_EQ(points_of(read(before + likwid + before + likwid)).size(), 2);
  EXPECT_EQ(doubts_of(read(before + likwid)), "host_unknown");
}

TEST(LikwidBenchText, HasATriadOfFourArraysThatIsNotStreams) {
  EXPECT_EQ(points_of(read(replaced(likwid, "copy_mem_avx", "triad_avx")))[0].case_name,
            "peers.likwid_bench.triad_avx");
  EXPECT_EQ(points_of(read(replaced(likwid, "copy_mem_avx", "stream_avx")))[0].case_name,
            "memory.host.triad");
}

TEST(LikwidBenchText, RefusesARateThatIsNotVolumeOverTimeAndFailsWithoutOne) {
  EXPECT_THAT(refusals_of(read(replaced(likwid, "8000.00", "8388.61"))), HasSubstr("data volume over time"));
  const PeerFile cut = read(likwid.substr(0, likwid.find("MByte/s")));
  EXPECT_EQ(points_of(cut)[0].status, Status::failed);
  EXPECT_THAT(doubts_of(cut), HasSubstr("cut"));
}

const std::string benchmark =
    R"({ "context": { "date": "2026-02-04T01:00:00+01:00", "host_name": "gx61", "executable": "./bin/copy",
  "cpu_scaling_enabled": false, "library_version": "v1.9.1", "library_build_type": "release" },
  "benchmarks": [
  { "name": "BM_copy/64/repeats:2", "run_name": "BM_copy/64/repeats:2", "run_type": "iteration", "repetitions": 2,
    "threads": 1, "iterations": 1000, "real_time": 2.5e+03, "cpu_time": 2.4e+03, "time_unit": "ns",
    "bytes_per_second": 2.56e+10 },
  { "name": "BM_copy/64/repeats:2", "run_name": "BM_copy/64/repeats:2", "run_type": "iteration", "repetitions": 2,
    "threads": 1, "iterations": 1000, "real_time": 2.0e+00, "cpu_time": 2.0e+00, "time_unit": "us" },
  { "name": "BM_copy/64/repeats:2_mean", "run_name": "BM_copy/64/repeats:2", "run_type": "aggregate",
    "aggregate_name": "mean", "iterations": 2, "real_time": 9.9e+09, "time_unit": "ns" },
  { "name": "BM_gpu", "run_name": "BM_gpu", "run_type": "iteration", "error_occurred": true,
    "error_message": "no device", "iterations": 1, "real_time": 0, "time_unit": "ns" }
] }
)";

TEST(GoogleBenchmarkJson, HasTheTimesInTheUnitOfEachEntryWithoutAggregates) {
  const PeerFile file = read(benchmark);
  EXPECT_THAT(values_of(file), ElementsAre(2.5, 2.0, -1));
  const PeerPoint point = points_of(file)[0];
  EXPECT_EQ(point.host, "gx61");
  EXPECT_EQ(point.started, "2026-02-04T01:00:00+01:00");
  EXPECT_EQ(point.axes.front(), core::Fact("benchmark", std::string("BM_copy/64")));
  EXPECT_EQ(point.executions, 1000);
  EXPECT_THAT(point.metrics.back().value, DoubleNear(25.6, 1e-9));
  EXPECT_EQ(points_of(file)[2].status, Status::failed);
  EXPECT_EQ(points_of(file)[2].reason, "no device");
  EXPECT_EQ(doubts_of(file), "");
}

TEST(GoogleBenchmarkJson, RefusesAggregatesAloneAndDoubtsADebugLibrary) {
  EXPECT_THAT(refusals_of(read(replaced(benchmark, "\"iteration\"", "\"aggregate\""))),
              HasSubstr("benchmark 'BM_copy/64' has aggregates alone"));
  EXPECT_THAT(doubts_of(read(replaced(benchmark, "\"release\"", "\"debug\""))), HasSubstr("debug_build"));
  EXPECT_THAT(refusals_of(read(replaced(benchmark, "\"us\"", "\"fortnights\""))), HasSubstr("7: time_unit"));
}

const std::string transfers =
    "TransferBench v1.52\n===============================================================\nTest 1:\n"
    " Executor: GPU 00 |  48.281 GB/s |    1.390 ms |     67108864 bytes | 48.281  GB/s (sum)\n"
    "     Transfer 00  |  48.281 GB/s |    1.390 ms |     67108864 bytes | G0 -> GPU00:008 -> G1\n"
    " Aggregate (CPU)  |  40.000 GB/s |    1.678 ms |     67108864 bytes | Overhead: 0.288 ms\n";

TEST(TransferBenchText, TakesTransfersAndNeitherExecutorsNorTheAggregate) {
  for (const std::string& text : {transfers, replaced(transfers, "|", ",")}) {
    const PeerFile file = read(text);
    EXPECT_THAT(values_of(file), ElementsAre(48.281));
    EXPECT_EQ(points_of(file)[0].verification, Verification::Result::right);
    EXPECT_EQ(file.blocks[0].findings.version, "1.52");
  }
  EXPECT_THAT(refusals_of(read(replaced(transfers, "1.390 ms", "2.390 ms"))),
              HasSubstr("5: bytes over time"));
}

TEST(TransferBenchText, IsWrongWhereAMismatchWasReported) {
  const PeerFile file =
      read(replaced(transfers, " Aggregate", "[ERROR] Destination array 0 value mismatch\n Aggregate"));
  EXPECT_EQ(points_of(file)[1].status, Status::wrong);
  EXPECT_EQ(points_of(file)[0].verification, Verification::Result::not_checked);
}

std::string inspected(const std::string& coll, int rank, int number, int bytes, int time_us, double algbw) {
  return R"({"header":{"id":"0x7f","rank":)" + std::to_string(rank) +
         R"(,"n_ranks":2,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.0","dump_timestamp_us":)"
         R"(1748030377748202,"hostname":"gx62","pid":7},"coll_perf":{"coll":")" +
         coll + R"(","coll_sn":)" + std::to_string(number) + R"(,"coll_msg_size_bytes":)" +
         std::to_string(bytes) + R"(,"coll_exec_time_us":)" + std::to_string(time_us) +
         R"(,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":)" + std::to_string(algbw) + "}}\n";
}

TEST(NcclInspectorJson, JoinsTheRanksOfAnOperationAndTakesTheSlowest) {
  const PeerFile file =
      read(inspected("AllReduce", 0, 1, 1000000, 100, 10) + inspected("AllReduce", 1, 1, 1000000, 125, 8) +
           inspected("AllReduce", 0, 2, 1000000, 200, 5) + inspected("AllReduce", 1, 2, 1000000, 100, 10) +
           inspected("AllReduce", 0, 3, 1000000, 50, 20) + inspected("AllReduce", 1, 3, 1000000, 50, 20));
  EXPECT_THAT(values_of(file), ElementsAre(125));
  const PeerPoint point = points_of(file)[0];
  EXPECT_THAT(point.samples, ElementsAre(125, 200, 50));
  EXPECT_EQ(point.n, 3);
  EXPECT_EQ(point.ranks, 2);
  EXPECT_EQ(point.host, "gx62");
  EXPECT_EQ(point.started, "2025-05-23T19:59:37Z");
  EXPECT_THAT(point.metrics[1].value, DoubleNear(8, 1e-12));
  EXPECT_EQ(doubts_of(file), "");
}

TEST(NcclInspectorJson, CountsAPartOfEachRankAsWholeAndSaysWhichRanksAreMissing) {
  const PeerFile file = read(inspected("AllGather", 1, 1, 1000000, 100, 20));
  EXPECT_EQ(number_in(points_of(file)[0].axes, "bytes"), 2000000);
  EXPECT_EQ(doubts_of(file), "ranks_missing");
  EXPECT_THAT(points_of(file)[0].conditions,
              testing::Contains(core::Fact("averaged_over", std::string("1 of 2 ranks"))));
}

TEST(NcclInspectorJson, RefusesARateOfOtherBytesAndKeepsClocksApart) {
  EXPECT_THAT(refusals_of(read(inspected("AllGather", 1, 1, 1000000, 100, 10))),
              HasSubstr("not the printed algbw"));
  const std::string two =
      inspected("Reduce", 0, 1, 1000000, 100, 10) +
      replaced(inspected("Reduce", 0, 2, 1000000, 100, 10), "kernel_gpu", "collective_cpu");
  EXPECT_EQ(points_of(read(two)).size(), 2);
}

}  // namespace
}  // namespace assay::results::peers
