// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL itself on a GPU: every operation on one rank, every launch; and several ranks on one GPU, by the
// program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "collectives/measure/collective_trial.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nccl/nccl_limits.hpp"
#include "collectives/tests/command.hpp"
#include "collectives/transport/group_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/cuda/device.hpp"
#include "harness/nccl/library.hpp"
#include "harness/team/solo_team.hpp"

namespace assay::collectives {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class NcclOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_no_nccl()) GTEST_SKIP() << *reason;
  }
};

Problem alone(Operation operation, bool in_place) {
  Problem problem{.operation = operation, .ranks = 1, .count = 1000, .in_place = in_place};
  if (operation == Operation::all_to_all_v)
    problem.counts = std::make_shared<const CountsMatrix>(std::vector<std::vector<std::int64_t>>{{77}});
  return problem;
}

/// Elsewhere than where it was built, who runs this test says where the programs are.
std::string program_folder() {
  const char* chosen = std::getenv("ASSAY_BIN_DIR");
  return chosen != nullptr ? chosen : ASSAY_BIN_DIR;
}

std::string wrong_with_point(const Problem& problem, const NcclWay& way) {
  team::SoloTeam team("here");
  CollectiveTrial::Setup setup;
  setup.transport = std::move(make_thread_transports(1).front());
  setup.groups = {{0}};
  setup.problems = {problem};
  const auto world = open_nccl(team, {.way = way, .operation = problem.operation});
  auto runner = world->make_runner({0}, problem, {});
  auto within = std::make_unique<GroupTransport>(*setup.transport, RankGroup{0});
  setup.parts.push_back({0, problem, std::move(within), std::move(runner)});
  CollectiveTrial trial(team, {}, std::move(setup));
  trial.enqueue(3);
  trial.sampling_begins();
  if (!(trial.enqueue(30).seconds > 0)) return "took no time";
  const core::Verification verification = trial.check();
  return verification.result == core::Verification::Result::wrong ? verification.why : "";
}

TEST_F(NcclOnAGpu, RunsEveryOperationOnOneRankByEveryLaunch) {
  for (const Operation operation : operations())
    for (const bool in_place : {false, true})
      for (const Launch launch : {Launch::blocking, Launch::group, Launch::graph}) {
        const Problem problem = alone(operation, in_place);
        if (!why_not_nccl(problem, {}, {.launch = launch}).empty()) continue;
        EXPECT_EQ(wrong_with_point(problem, {.launch = launch}), "")
            << to_text(operation) << (in_place ? " in place" : "") << ", launch " << static_cast<int>(launch);
      }
}

TEST_F(NcclOnAGpu, RunsOnRegisteredBuffers) {
  EXPECT_EQ(wrong_with_point(alone(Operation::all_reduce, false), {.registered = true}), "");
}

std::string shared_journal() { return testing::TempDir() + "assay_shared_gpu.jsonl"; }

/// The program on two ranks on GPU 0.
Ended run_two_ranks(const std::string& arguments) {
  std::remove(shared_journal().c_str());
  return run_command(
      fmt::format("timeout -k 5 240 '{}/assay-collectives' --ranks 2 --ranks-share-gpu {} "
                  "--journal '{}'",
                  program_folder(), arguments, shared_journal()));
}

/// Their journal; they must have measured all that they were asked and could.
std::string journal_of_two_ranks(const std::string& arguments) {
  const Ended ended = run_two_ranks(arguments);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, Not(ContainsRegex("failed|unsupported")));
  std::ifstream file(shared_journal());
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(NcclOnAGpu, RunsSeveralRanksOnOneGpuAndStampsTheRecord) {
  const std::string text = journal_of_two_ranks(
      "--filter 'collectives.nccl.all_reduce/*' --filter 'collectives.assay_device.all_reduce/*ring*' "
      "--axis bytes=4096");
  EXPECT_THAT(text, HasSubstr("\"not_a_performance_measurement\":\"true: ranks 0 and 1 share the GPU"));
  int version = 0;
  if (nccl::Library::library().calls().get_version(&version) == ncclSuccess && version >= 22600) {
    EXPECT_THAT(text, Not(ContainsRegex("\"nccl_(algorithm|forced)\":\"unknown")))
        << "NCCL reports to its plug-in what it ran since 2.26";
  }
}

// One rank alone makes NCCL copy at most: only these start its kernels.
TEST_F(NcclOnAGpu, TwoRanksReduceByEveryLaunchAndOnRegisteredBuffers) {
  const std::string text = journal_of_two_ranks(
      "--filter 'collectives.nccl.all_reduce/*' --axis launch=blocking,group,graph --axis registered=0,1 "
      "--axis bytes=4096");
  for (const char* launch : {"blocking", "group", "graph"})
    for (const int registered : {0, 1})
      EXPECT_THAT(text, HasSubstr(fmt::format("launch={},registered={}", launch, registered)));
}

TEST_F(NcclOnAGpu, TwoRanksComputePassesWhileTheyExchange) {
  const std::string text = journal_of_two_ranks(
      "--filter 'collectives.nccl_overlap.*' --axis layers=4 --axis width=512 --axis tokens=256");
  for (const char* name : {"bucketed_all_reduce", "prefetched_all_gather"})
    EXPECT_THAT(text, HasSubstr(fmt::format("collectives.nccl_overlap.{}", name)));
  EXPECT_THAT(text, Not(HasSubstr("\"result\":\"wrong\"")));
}

// It needs no NCCL.
TEST(DomainOnAGpu, TwoRanksCopyByFabricHandlesWhereTheDriverExportsThem) {
  if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  const Ended ended = run_two_ranks(
      "--filter 'collectives.nvlink_domain.copy/pattern=pair*' --axis bytes=64KiB --axis by=engine,sm");
  const std::size_t why = ended.output.find("unsupported");
  if (why != std::string::npos) GTEST_SKIP() << ended.output.substr(why, ended.output.find('\n', why) - why);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
}

}  // namespace
}  // namespace assay::collectives
