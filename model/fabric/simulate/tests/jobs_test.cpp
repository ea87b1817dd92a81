// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/jobs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

const double link_rate = LinkSpeed{}.goodput();
/// Two racks of four GPUs with one uplink each.
const char* const two_racks =
    "preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 4\nspines = 1\nlink = { hop_latency_us = 0 }\n"
    "host = { overhead_us = 0, gpus = 1 }\n";

/// From GPU `first_gpu` of one rack to the other rack.
std::string job(const std::string& name, const std::string& order, const std::string& more = "") {
  return "[[job]]\nname = '" + name + "'\nranks = 2\norder = '" + order + "'\n" + more +
         "[[job.stream]]\n[[job.stream.op]]\npattern = 'shift'\nbytes = '49MB'\n";
}

class Jobs : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/a.csv") << "0,0,0\n1,4,0\n";
    std::ofstream(folder_ + "/b.csv") << "0,1,0\n1,5,0\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& file) const { return folder_ + "/" + file; }
  std::string folder_ = testing::TempDir() + "fabric_jobs_" + std::to_string(getpid());
};

TEST_F(Jobs, ShareAnUplinkAndTakeTwiceAsLong) {
  const Simulated run(two_racks, job("a", at("a.csv")) + job("b", at("b.csv")));
  ASSERT_EQ(run.result.jobs.size(), 2U);
  for (const JobTimes& one : run.result.jobs) {
    EXPECT_NEAR(one.alone_us.front(), 49e6 / link_rate, 1);
    EXPECT_NEAR(one.together_us.front(), 2 * 49e6 / link_rate, 2);
    EXPECT_NEAR(slowdown_of(one).front(), 2, 0.002);
  }
}

TEST_F(Jobs, InTheirOwnRacksLoseNothing) {
  const Simulated run(two_racks, job("a", "linear") + job("b", "linear", "first_gpu = 4\n"));
  for (const JobTimes& one : run.result.jobs) EXPECT_NEAR(slowdown_of(one).front(), 1, 1e-9);
  EXPECT_EQ(run.scenario.host_of_rank(), (std::vector<NodeId>{0, 1, 4, 5}));
}

TEST_F(Jobs, ThatStartLaterShareLess) {
  const double alone_us = 49e6 / link_rate;
  const auto start = [](double us) { return "start_us = " + std::to_string(us) + "\n"; };
  // `a` sends half of its bytes alone, the other half at half rate, and `b` has its last half alone.
  const Simulated half(two_racks,
                       job("a", at("a.csv"), start(100)) + job("b", at("b.csv"), start(100 + alone_us / 2)));
  for (const JobTimes& one : half.result.jobs) EXPECT_NEAR(slowdown_of(one).front(), 1.5, 0.01);
  EXPECT_NEAR(half.time_us(), 2 * alone_us, 5) << "from the first start on";
  const Simulated apart(two_racks, job("a", at("a.csv")) + job("b", at("b.csv"), start(2 * alone_us)));
  for (const JobTimes& one : apart.result.jobs) EXPECT_NEAR(slowdown_of(one).front(), 1, 1e-9);
}

TEST_F(Jobs, KeepTheOrderOfTheirOwnStreams) {
  const std::string late =
      "[[job]]\nname = 'b'\nranks = 2\nfirst_gpu = 4\n"
      "[[job.stream]]\nname = 'second'\nafter = 'first'\n[[job.stream.op]]\ncompute_us = 70\n"
      "[[job.stream]]\nname = 'first'\n[[job.stream.op]]\npattern = 'shift'\nbytes = '49MB'\n";
  const Simulated run(two_racks, job("a", "linear") + late);
  EXPECT_NEAR(run.result.jobs[1].together_us.front(), 49e6 / link_rate + 70, 1);
  EXPECT_NEAR(run.result.jobs[1].alone_us.front(), 49e6 / link_rate + 70, 1);
}

TEST_F(Jobs, StreamsBeginWhenTheLastOfThoseBeforeThemHasEnded) {
  const auto compute = [](const std::string& name, int us) {
    return "[[stream]]\nname = '" + name + "'\n[[stream.op]]\ncompute_us = " + std::to_string(us) + "\n";
  };
  // "other" keeps "last" from being a section of its own.
  const Simulated run("preset = 'star'\nhosts = 2\nlink = { hop_latency_us = 0 }\n",
                      "ranks = 2\n" + compute("first", 500) + compute("other", 10) +
                          "[[stream]]\nname = 'send'\n[[stream.op]]\npattern = 'shift'\nbytes = '49MB'\n" +
                          "[[stream]]\nafter = ['first', 'send']\n[[stream.op]]\ncompute_us = 70\n");
  EXPECT_NEAR(run.time_us(), 49e6 / link_rate + 70, 1);
}

TEST_F(Jobs, StartOnceThoughTheirStreamsFollowOneAnother) {
  const std::string late =
      "[[job]]\nname = 'b'\nranks = 2\nfirst_gpu = 4\nstart_us = 5000\n"
      "[[job.stream]]\nname = 'first'\n[[job.stream.op]]\npattern = 'shift'\nbytes = '49MB'\n"
      "[[job.stream]]\nname = 'second'\nafter = 'first'\n[[job.stream.op]]\ncompute_us = 70\n";
  const Simulated run(two_racks, job("a", "linear") + late);
  EXPECT_NEAR(run.result.jobs[1].together_us.front(), 49e6 / link_rate + 70, 1);
}

TEST_F(Jobs, AnswerWithTimesAloneAndTogether) {
  const Simulated run(two_racks, job("a", at("a.csv")) + job("b", at("b.csv")), {.seeds = 3});
  const Answer answer = simulation_answer(run.scenario, run.result, {.seeds = 3}, std::nullopt);
  EXPECT_THAT(answer.sentence, HasSubstr("'a' takes 2.00 times as long as alone"));
  EXPECT_THAT(answer.json, HasSubstr("\"slowdown\""));
  ASSERT_GT(answer.tables.size(), 1U);
  EXPECT_EQ(answer.tables[1].title, "Jobs");
  EXPECT_EQ(answer.tables[1].rows.size(), 2U);
  const Simulated apart(two_racks, job("a", "linear") + job("b", "linear", "first_gpu = 4\n"));
  EXPECT_THAT(simulation_answer(apart.scenario, apart.result, {}, std::nullopt).sentence,
              HasSubstr("no job loses by the others"));
}

TEST_F(Jobs, AreRefusedWhereTheyOverlap) {
  const auto complaint = [](const std::string& workload) {
    try {
      const Simulated run(two_racks, workload);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(complaint(job("a", at("a.csv")) + job("b", at("a.csv"))),
              HasSubstr("job.order: GPU 0 has a rank of 'a' already: expected jobs on different GPUs"));
  EXPECT_THAT(complaint(job("a", "linear") + job("b", "linear", "first_gpu = 1\n")),
              HasSubstr("job.first_gpu: GPU 1 has a rank of 'a' already"));
  EXPECT_THAT(complaint(job("a", "linear") + job("b", "linear", "first_gpu = 7\n")),
              HasSubstr("job.first_gpu: 2 ranks from GPU 7 on, and the fabric has 8 GPUs"));
  EXPECT_THAT(complaint(job("a", "linear") + job("b", at("b.csv"), "first_gpu = 2\n")),
              HasSubstr("job.first_gpu: expected only with a linear order"));
  EXPECT_THAT(complaint(job("a", "linear") + job("a", "linear")), HasSubstr("two jobs are named 'a'"));
  EXPECT_THAT(complaint(job("a", "linear", "start_us = -1\n")),
              HasSubstr("job.start_us: expected a number of at least 0"));
  EXPECT_THAT(complaint("ranks = 4\n" + job("a", "linear")), HasSubstr("ranks: unknown key"));
}

}  // namespace
}  // namespace assay::model::fabric
