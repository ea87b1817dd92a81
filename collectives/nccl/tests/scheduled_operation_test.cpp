// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/scheduled_operation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/nccl/nccl_limits.hpp"
#include "collectives/nccl/tests/fake_ranks.hpp"
#include "collectives/tests/one_run.hpp"

namespace assay::collectives {
namespace {

Problem scheduled_problem(Operation operation, int ranks, std::int64_t count, bool in_place) {
  Problem problem{
      .operation = operation, .ranks = ranks, .count = count, .root = ranks - 1, .in_place = in_place};
  if (operation == Operation::all_to_all_v) {
    const auto n = static_cast<std::size_t>(ranks);
    problem.counts = std::make_shared<const CountsMatrix>(std::vector(n, std::vector<std::int64_t>(n, 5)));
  }
  for (int rank = 0; rank < ranks && ranks % 2 == 0; ++rank) problem.node_of.push_back(rank / 2);
  return problem;
}

std::string wrong_on(const nccl::Calls& calls, Communicator& communicator, const Algorithm& algorithm,
                     const Problem& problem, const Content& content, int rank) {
  FakeAccelerator gpu;
  std::vector<std::vector<std::byte>> memory;
  ScheduledOperation operation(
      {.calls = calls,
       .communicator = communicator,
       .accelerator = gpu,
       .allocate =
           [&](std::int64_t bytes) { return memory.emplace_back(static_cast<std::size_t>(bytes)).data(); }},
      algorithm, problem, content, rank);
  return wrong_with(problem, content, rank,
                    [&](auto in, auto out) { operation.enqueue(in.data(), out.data(), gpu.stream()); });
}

class ScheduledOperationTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { reset_fake(); }

  void expect_all_right(std::int64_t count, bool in_place, const Content& content) {
    const nccl::Calls calls = fake_calls();
    for (const Algorithm& algorithm : algorithms()) {
      const Problem problem = scheduled_problem(algorithm.operation, GetParam(), count, in_place);
      if (!why_not_scheduled(algorithm, problem, {}).empty()) continue;
      on_communicators(calls, GetParam(), [&](int rank, Communicator& communicator) {
        EXPECT_EQ(wrong_on(calls, communicator, algorithm, problem, content, rank), "")
            << to_text(algorithm.operation) << " by " << algorithm.name << " at rank " << rank;
      });
    }
  }
};

TEST_P(ScheduledOperationTest, OfEveryAlgorithmIsRight) {
  expect_all_right(840, false, {.type = DataType::fp64, .seed = 3});
}

TEST_P(ScheduledOperationTest, InPlaceIsRight) {
  expect_all_right(841, true, {.type = DataType::int32, .reduction = Operator::max, .seed = 3});
}

TEST_P(ScheduledOperationTest, OfFewerElementsThanRanksSendsNoEmptyMessage) {
  expect_all_right(3, false, {.type = DataType::int64, .reduction = Operator::prod, .seed = 3});
}

TEST_P(ScheduledOperationTest, OfNarrowFloatsIsRight) {
  expect_all_right(40, false, {.type = DataType::bf16, .seed = 3});
  expect_all_right(40, true, {.type = DataType::fp16, .reduction = Operator::prod, .seed = 3});
}

TEST_P(ScheduledOperationTest, OfAMeanIsRight) {
  for (const DataType type : {DataType::fp32, DataType::fp8_e4m3, DataType::int8})
    expect_all_right(41, false, {.type = type, .reduction = Operator::avg, .seed = 3});
}

INSTANTIATE_TEST_SUITE_P(Ranks, ScheduledOperationTest, testing::Range(1, 9));

TEST(WhyNotScheduled, OfABarrierIsThatNcclSendsNothingEmpty) {
  const Algorithm& barrier = algorithm(Operation::barrier, "dissemination");
  EXPECT_EQ(why_not_scheduled(barrier, {.operation = Operation::barrier, .ranks = 4}, {}),
            "NCCL sends no empty messages, so nothing would keep the ranks of a barrier waiting");
}

TEST(WhyNotScheduled, InOneGroupIsThatStepsWait) {
  const Algorithm& ring = algorithm(Operation::all_reduce, "ring");
  EXPECT_EQ(why_not_scheduled(ring, {.ranks = 4, .count = 8}, {.launch = Launch::group}),
            "launch=group: the steps of an algorithm wait for one another, and a group runs all at once");
}

}  // namespace
}  // namespace assay::collectives
