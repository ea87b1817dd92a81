// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every operation of the module as calls to NCCL, bit by bit, on ranks that are threads.
#include "collectives/nccl/nccl_operation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/nccl/nccl_limits.hpp"
#include "collectives/nccl/tests/fake_ranks.hpp"
#include "collectives/tests/one_run.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

Problem problem_of(Operation operation, int ranks, std::int64_t count, bool in_place) {
  Problem problem{
      .operation = operation, .ranks = ranks, .count = count, .root = ranks - 1, .in_place = in_place};
  const auto n = static_cast<std::size_t>(ranks);
  if (operation == Operation::all_to_all_v) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 5));
    rows[0][n - 1] = 70;
    rows[n - 1][0] = 0;
    problem.counts = std::make_shared<const CountsMatrix>(std::move(rows));
  }
  return problem;
}

/// The fault in one rank's result on its communicator; empty: none. A barrier has no memory of its own.
std::string wrong_on(const nccl::Calls& calls, Communicator& communicator, const Problem& problem,
                     const Content& content, int rank) {
  FakeAccelerator gpu;
  NcclOperation operation(calls, communicator, problem, content, rank);
  std::int64_t spare[2] = {};
  return wrong_with(problem, content, rank, [&](auto in, auto out) {
    auto* none = reinterpret_cast<std::byte*>(spare);
    operation.enqueue(in.empty() ? none : in.data(), out.empty() ? none + 8 : out.data(), gpu.stream());
  });
}

class NcclOperationTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { reset_fake(); }

  void expect_all_right(const nccl::Calls& calls, std::int64_t count, const Content& content) {
    for (const Operation operation : operations())
      for (const bool in_place : {false, true}) {
        const Problem problem = problem_of(operation, GetParam(), count, in_place);
        if (!why_not_nccl(problem).empty()) continue;
        on_communicators(calls, GetParam(), [&](int rank, Communicator& communicator) {
          EXPECT_EQ(wrong_on(calls, communicator, problem, content, rank), "")
              << to_text(operation) << " of " << count << (in_place ? " in place" : "") << " at rank "
              << rank;
        });
      }
  }
};

TEST_P(NcclOperationTest, IsRightInAndOutOfPlace) {
  expect_all_right(fake_calls(), 840, {.type = DataType::fp64, .seed = 3});
}

TEST_P(NcclOperationTest, IsRightWithALibraryBefore228) {
  expect_all_right(fake_calls(false), 840, {.type = DataType::int64, .reduction = Operator::max, .seed = 3});
}

TEST_P(NcclOperationTest, IsRightWithBlocksOfDifferentSize) {
  expect_all_right(fake_calls(), 841, {.type = DataType::fp32, .reduction = Operator::prod, .seed = 3});
}

TEST_P(NcclOperationTest, IsRightWithFewerElementsThanRanks) {
  expect_all_right(fake_calls(), 3, {.type = DataType::int32, .reduction = Operator::min, .seed = 3});
}

TEST_P(NcclOperationTest, IsRightInEveryType) {
  std::size_t next = 0;
  for (const DataType type : data_types())
    expect_all_right(fake_calls(), 40, {type, operators()[next++ % operators().size()], 3, true});
}

TEST_P(NcclOperationTest, IsRightAsAMeanInEveryType) {
  for (const DataType type : data_types()) expect_all_right(fake_calls(), 40, {type, Operator::avg, 3, true});
}

INSTANTIATE_TEST_SUITE_P(Ranks, NcclOperationTest, testing::Range(1, 9));

std::string function_of(Operation operation, const nccl::Calls& calls, std::int64_t count) {
  reset_fake();
  std::string function;
  on_communicators(calls, 2, [&](int rank, Communicator& communicator) {
    const NcclOperation made(calls, communicator, problem_of(operation, 2, count, false), {}, rank);
    if (rank == 0) function = made.function();
  });
  return function;
}

TEST(NcclFunctions, AreItsOwnWhereItHasThem) {
  const nccl::Calls calls = fake_calls();
  EXPECT_EQ(function_of(Operation::all_reduce, calls, 8), "ncclAllReduce");
  EXPECT_EQ(function_of(Operation::reduce_scatter, calls, 8), "ncclReduceScatter");
  EXPECT_EQ(function_of(Operation::all_to_all, calls, 8), "ncclAlltoAll");
  EXPECT_EQ(function_of(Operation::gather, calls, 8), "ncclGather");
  EXPECT_EQ(function_of(Operation::scatter, calls, 8), "ncclScatter");
  EXPECT_EQ(function_of(Operation::barrier, calls, 8), "ncclAllReduce of one int32");
}

TEST(NcclFunctions, AreSendsAndReceivesWhereItIsOlderOrBlocksDiffer) {
  constexpr const char* grouped = "ncclSend and ncclRecv in a group";
  EXPECT_EQ(function_of(Operation::all_to_all, fake_calls(false), 8), grouped);
  EXPECT_EQ(function_of(Operation::gather, fake_calls(false), 8), grouped);
  EXPECT_EQ(function_of(Operation::scatter, fake_calls(), 7), grouped);
  EXPECT_EQ(function_of(Operation::all_to_all_v, fake_calls(), 8), grouped);
  EXPECT_EQ(function_of(Operation::send_receive, fake_calls(), 8), grouped);
}

TEST(NcclOperationFailure, NamesTheFunctionAndSpoilsTheCommunicator) {
  reset_fake();
  const nccl::Calls calls = fake_calls();
  on_communicators(calls, 1, [&](int, Communicator& communicator) {
    fake().failing["all_reduce"] = ncclInvalidUsage;
    try {
      wrong_on(calls, communicator, problem_of(Operation::all_reduce, 1, 8, false), {}, 0);
      ADD_FAILURE() << "a failed call passed";
    } catch (const core::Error& error) {
      EXPECT_STREQ(error.what(), "ncclAllReduce: invalid usage (the fake's own words)");
    }
    EXPECT_TRUE(communicator.is_broken());
  });
}

TEST(NcclGroupTest, IsClosedWhereACallInItFails) {
  reset_fake();
  const nccl::Calls calls = fake_calls(false);
  fake().failing["recv"] = ncclInvalidUsage;
  on_communicators(calls, 1, [&](int, Communicator& communicator) {
    EXPECT_THROW(wrong_on(calls, communicator, problem_of(Operation::send_receive, 1, 8, false), {}, 0),
                 core::Error);
    EXPECT_EQ(fake().count("group_end"), 1);
  });
}

}  // namespace
}  // namespace assay::collectives
