// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/workload_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/fabric/file/rank_order.hpp"

namespace assay::model::fabric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(WorkloadFile, ReadsEveryPartOfTheExample) {
  const WorkloadFile workload = parse_workload(R"(name = "dp step"
ranks = 1024
order = "linear"
[[stream]]
name = "gradients"
[[stream.op]]
collective = "all_reduce"
algorithm = "halving_doubling"
groups = "0:1024:8"
bytes = "256MiB"
[[stream.op]]
compute_us = 1500
)",
                                               "step.toml");
  EXPECT_EQ(workload.ranks(), 1024U);
  EXPECT_EQ(workload.jobs[0].order_file, "");
  ASSERT_EQ(workload.streams.size(), 1U);
  ASSERT_EQ(workload.streams[0].operations.size(), 2U);
  const Operation& reduce = workload.streams[0].operations[0];
  EXPECT_EQ(reduce.pattern, &pattern("halving_doubling_all_reduce"));
  EXPECT_EQ(reduce.groups.size(), 8U);
  EXPECT_EQ(reduce.text(), "256MiB all_reduce (halving_doubling) on 1024 GPUs in 8 groups");
  EXPECT_DOUBLE_EQ(workload.streams[0].operations[1].compute_us, 1500);
}

TEST(WorkloadFile, NamesAnOrderFileFromItsOwnFolder) {
  const char* const text = "ranks = 2\norder = 'order.csv'\n[[stream]]\n[[stream.op]]\ncompute_us = 1";
  EXPECT_EQ(parse_workload(text, "jobs/a.toml").jobs[0].order_file, "jobs/order.csv");
}

TEST(WorkloadFile, StreamsFollowThoseTheyName) {
  const WorkloadFile workload = parse_workload(
      "ranks = 8\n[[stream]]\nname = 'b'\nafter = 'a'\n[[stream.op]]\npattern = 'incast'\nbytes = '1MiB'\n"
      "[[stream]]\nname = 'a'\n[[stream.op]]\npattern = 'permutation'\nseed = 7\nbytes = '1MiB'\n",
      "a.toml");
  EXPECT_THAT(workload.streams[0].after, ElementsAre(1));
  EXPECT_EQ(workload.streams[1].operations[0].seed, 7U);
}

TEST(WorkloadFile, HasJobsWithRanksOfTheirOwn) {
  const std::string op =
      "[[job.stream]]\n[[job.stream.op]]\npattern = 'pipeline'\ngroups = '0:4:2'\nbytes = '1MiB'\n";
  const WorkloadFile workload =
      parse_workload("name = 'both'\n[[job]]\nname = 'a'\nranks = 6\nprocessor_usage = 0.1\nstart_us = 30\n" +
                         op + "[[job]]\nranks = 4\nfirst_gpu = 9\nstart_us = 20\n" + op,
                     "jobs.toml");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.ranks(), 10U);
  EXPECT_EQ(workload.jobs[1].name, "job 2");
  EXPECT_EQ(workload.jobs[1].ranks.first, 6U);
  EXPECT_EQ(workload.jobs[1].first_gpu, 9U);
  EXPECT_EQ(workload.jobs[1].where, "jobs.toml:14: job.first_gpu");
  EXPECT_DOUBLE_EQ(workload.jobs[0].start_us, 10) << "after the first start";
  EXPECT_DOUBLE_EQ(workload.jobs[0].processor_usage, 0.1);
  EXPECT_EQ(workload.streams[1].job, 1U);
  EXPECT_THAT(workload.streams[1].operations[0].groups, ElementsAre(ElementsAre(6, 8), ElementsAre(7, 9)));
  EXPECT_EQ(workload.job_of(5).name, "a");
  EXPECT_EQ(workload.job_of(6).name, "job 2");
}

TEST(WorkloadFile, NamesOperationsAndHowOftenTheyRun) {
  const WorkloadFile workload = parse_workload(
      "ranks = 8\n[[stream]]\n[[stream.op]]\nname = 'forward'\ncompute_us = 2500\ntimes = 3\n[[stream.op]]\n"
      "pattern = 'pipeline'\nbytes = '1MiB'\ntimes = 2\n",
      "a.toml");
  EXPECT_EQ(workload.streams[0].operations[0].text(), "forward: 3 times 2.5 ms of compute");
  EXPECT_DOUBLE_EQ(workload.streams[0].operations[0].all_compute_us(), 7500);
  EXPECT_EQ(workload.streams[0].operations[1].text(), "2 times 1MiB pipeline on 8 GPUs");
}

TEST(WorkloadFile, ComputesOnTheRanksOfAJob) {
  const WorkloadFile workload = parse_workload(
      "[[job]]\nranks = 2\n[[job.stream]]\n[[job.stream.op]]\ncompute_us = 1\n"
      "[[job]]\nranks = 4\n[[job.stream]]\n[[job.stream.op]]\ncompute_us = 1\non = '0+2-3'\n",
      "a.toml");
  EXPECT_TRUE(workload.streams[0].operations[0].groups.empty());
  EXPECT_THAT(workload.streams[1].operations[0].groups, ElementsAre(ElementsAre(2, 4, 5)));
}

TEST(RankGroups, AreRanksThatDifferByTheStrideWithinARow) {
  const std::vector<std::string> strided = {"0:8:4"}, neighbours = {"0:8:1:4"}, rows = {"2:10:2:2"};
  EXPECT_THAT(training::rank_groups(strided, 8),
              ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2, 6), ElementsAre(3, 7)));
  EXPECT_THAT(training::rank_groups(neighbours, 8),
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(training::rank_groups(rows, 10),
              ElementsAre(ElementsAre(2, 4), ElementsAre(3, 5), ElementsAre(6, 8), ElementsAre(7, 9)));
}

struct RefusedOperation {
  const char *operation, *message;
};
class RefusedWorkload : public testing::TestWithParam<RefusedOperation> {};

std::string complaint_about(const std::string& text) {
  try {
    static_cast<void>(parse_workload(text, "w.toml"));
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST_P(RefusedWorkload, IsRefusedWithFileKeyAndWhatWasExpected) {
  const std::string said =
      complaint_about(std::string("ranks = 16\n[[stream]]\n[[stream.op]]\n") + GetParam().operation);
  EXPECT_THAT(said, HasSubstr(GetParam().message));
  EXPECT_THAT(said, HasSubstr("w.toml:"));
}

TEST(WorkloadFile, SaysOnceWhereGroupsAreWrong) {
  EXPECT_EQ(
      complaint_about(
          "ranks = 16\n[[stream]]\n[[stream.op]]\ncollective = 'all_reduce'\nbytes = '1MiB'\ngroups = []\n"),
      "w.toml:6: stream.op.groups: expected text, or a list of texts");
}

#define RING "collective = 'all_reduce'\nbytes = '1MiB'\n"
INSTANTIATE_TEST_SUITE_P(
    Operations, RefusedWorkload,
    testing::Values(
        RefusedOperation{"", "stream.op.collective: expected one of collective, pattern and compute_us"},
        RefusedOperation{RING "compute_us = 5", "expected one of collective, pattern and compute_us"},
        RefusedOperation{"compute_us = 1\non = '16'",
                         "w.toml:5: stream.op.on: '16': rank 16 is beyond the last, 15"},
        RefusedOperation{"compute_us = 0",
                         "w.toml:4: stream.op.compute_us: expected a number above 0, got 0"},
        RefusedOperation{"compute_us = inf", "stream.op.compute_us: expected a number above 0"},
        RefusedOperation{"compute_us = 1e308",
                         "stream.op.compute_us: expected a number above 0, from 1e-15 to 1e+15, got 1e+308"},
        RefusedOperation{"collective = 'allreduce'\nbytes = '1MiB'", "did you mean all_reduce?"},
        RefusedOperation{RING "algorithm = 'tree'",
                         "stream.op.algorithm: 'tree' is unknown (expected ring, doubling"},
        RefusedOperation{RING "across = 'ring'",
                         "stream.op.across: expected only with the algorithm hierarchical"},
        RefusedOperation{RING "algorithm = 'hierarchical'\nacross = 'tree'",
                         "stream.op.across: 'tree' is unknown"},
        RefusedOperation{"collective = 'broadcast'\nalgorithm = 'ring'\nbytes = '1MiB'",
                         "'ring' is unknown (expected binomial)"},
        RefusedOperation{"collective = 'all_reduce'",
                         "stream.op.bytes: missing: expected a size with its unit"},
        RefusedOperation{"collective = 'all_reduce'\nbytes = 1024",
                         "stream.op.bytes: expected a size with its unit"},
        RefusedOperation{RING "size = 4", "stream.op.size: unknown key"},
        RefusedOperation{RING "groups = '0:32'", "stream.op.groups: '0:32': rank 31 is beyond the last, 15"},
        RefusedOperation{RING "groups = '0:16:3'", "16 ranks do not divide by a stride of 3"},
        RefusedOperation{RING "groups = '0:16:2:3'", "16 ranks do not divide into 2 groups of 3"},
        RefusedOperation{RING "groups = ['0:8', '4:12']", "rank 4 is in two groups"},
        RefusedOperation{RING "groups = '0:16:16'", "groups of one rank"},
        RefusedOperation{RING "groups = '0:16:0'", "a stride or size of 0"},
        RefusedOperation{RING "groups = '4:4'", "no ranks"},
        RefusedOperation{RING "groups = '15'", "groups of one rank"},
        RefusedOperation{RING "groups = '0:x'", "not whole numbers"},
        RefusedOperation{RING "groups = '0:99999999999'", "not whole numbers"},
        RefusedOperation{"pattern = 'shift'\nby = 16\nbytes = '1MiB'",
                         "stream.op.by: a shift by 16 in a group of 16"},
        RefusedOperation{RING "times = 0", "stream.op.times: expected a whole number from 1"},
        RefusedOperation{RING "matrix = 'a.csv'", "stream.op.matrix: unknown key"},
        RefusedOperation{"pattern = 'rotate'\nbytes = '1MiB'", "stream.op.pattern: 'rotate' is unknown"}));
#undef RING

TEST(WorkloadFile, RefusesStreamsThatCannotBegin) {
  const std::string op = "[[stream.op]]\ncompute_us = 1\n";
  EXPECT_THAT(complaint_about("ranks = 2\n[[stream]]\nname = 'a'\nafter = 'b'\n" + op +
                              "[[stream]]\nname = 'b'\nafter = 'a'\n" + op),
              HasSubstr("w.toml:4: stream.after: streams wait for one another in a circle"));
  EXPECT_THAT(complaint_about("ranks = 2\n[[stream]]\nafter = 'c'\n" + op),
              HasSubstr("there is no stream 'c'"));
  EXPECT_THAT(complaint_about("ranks = 2\n[[stream]]\nname = 'a'\n" + op + "[[stream]]\nname = 'a'\n" + op),
              HasSubstr("two streams are named 'a'"));
  EXPECT_THAT(complaint_about("ranks = 2"), HasSubstr("stream: missing: expected tables [[stream]]"));
  EXPECT_THAT(complaint_about("ranks = 2\n[[stream]]\nname = 'a'"), HasSubstr("stream.op: missing"));
  EXPECT_THAT(complaint_about("ranks = 2\nprocessor_usage = 1\n[[stream]]\n" + op),
              HasSubstr("w.toml:2: processor_usage: expected a number of at least 0 and below 1, got 1"));
  EXPECT_THAT(complaint_about("ranks = 0"), HasSubstr("ranks: expected a whole number from 1"));
  EXPECT_THAT(complaint_about("[[stream]]\n" + op), HasSubstr("ranks: missing"));
}

struct RefusedRows {
  const char *rows, *message;
};
class RefusedOrder : public testing::TestWithParam<RefusedRows> {};

TEST_P(RefusedOrder, NamesTheLine) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_order.csv";
  std::ofstream(file) << "rank,host,gpu\n" << GetParam().rows;
  try {
    static_cast<void>(read_order(file, 3, 16, 8));
    FAIL() << "accepted";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), HasSubstr("order.csv:"));
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedOrder,
    testing::Values(RefusedRows{"0,0,0\n1,0,1\n", "rank 2 has no place"},
                    RefusedRows{"0,0,0\n0,0,1\n2,1,0\n", "order.csv:3: rank 0 is placed twice"},
                    RefusedRows{"0,0,0\n1,0,0\n2,1,0\n", "order.csv:3: host 0 gpu 0 has rank 0 already"},
                    RefusedRows{"0,0,0\n1,2,0\n",
                                "order.csv:3: host 2: the fabric has 16 GPUs in servers of 8"},
                    RefusedRows{"0,0,8\n", "order.csv:2: gpu 8: expected at most 7"},
                    RefusedRows{"3,0,0\n", "order.csv:2: rank 3: expected at most 2"},
                    RefusedRows{"0,zero,0\n", "order.csv:2: expected rank,host,gpu as whole numbers"},
                    RefusedRows{"0,0\n", "order.csv:2: expected rank,host,gpu as whole numbers"}));

TEST(RankOrder, ReadsPlacesAndRefusesMoreRanksThanGpus) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_places.csv";
  std::ofstream(file) << "rank,host,gpu\n1,0,3\r\n0, 1, 7\n";
  EXPECT_THAT(read_order(file, 2, 16, 8), ElementsAre(15, 3));
  std::filesystem::remove(file);
  EXPECT_THAT(linear_order(3, 4, "w.toml: ranks"), ElementsAre(0, 1, 2));
  EXPECT_THROW(linear_order(5, 4, "w.toml: ranks"), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric
