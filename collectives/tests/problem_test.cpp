// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

std::string refusal(const Problem& problem) {
  try {
    check(problem);
  } catch (const core::Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Blocks, OfAnUndividedCountDifferByOneElement) {
  const Blocks blocks{10, 4};
  EXPECT_EQ(blocks.size(0), 3);
  EXPECT_EQ(blocks.size(1), 3);
  EXPECT_EQ(blocks.size(2), 2);
  EXPECT_EQ(blocks.size(3), 2);
  EXPECT_EQ(blocks.first(3), 8);
}

TEST(Blocks, OfFewElementsAreEmptyAtTheEnd) {
  const Blocks blocks{2, 5};
  EXPECT_EQ(blocks.size(1), 1);
  EXPECT_EQ(blocks.size(2), 0);
  EXPECT_EQ(blocks.first(4), 2);
}

TEST(Problem, IsOnAsManyNodesAsItsRanksAreOn) {
  Problem problem{.ranks = 4};
  EXPECT_EQ(problem.nodes(), 1);  // no node map: all on one
  problem.node_of = {7, 2, 2, 7};
  EXPECT_EQ(problem.nodes(), 2);
}

TEST(Operation, IsNamedAsItIsRead) {
  for (const Operation operation : operations()) EXPECT_EQ(operation_from(to_text(operation)), operation);
}

TEST(Operation, OfAnUnknownNameSaysWhichThereAre) {
  try {
    operation_from("allreduce");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("operation 'allreduce': expected all_reduce, all_gather"));
  }
}

TEST(Check, NamesARootThatIsNoRank) {
  EXPECT_THAT(refusal({.ranks = 4, .root = 4}), HasSubstr("root=4: expected a rank, 0 to 3"));
  EXPECT_THAT(refusal({.ranks = 4, .root = -1}), HasSubstr("root=-1"));
}

TEST(Check, RefusesNoRanksAndNegativeCounts) {
  EXPECT_THAT(refusal({.ranks = 0}), HasSubstr("ranks=0: expected 1 or more"));
  EXPECT_THAT(refusal({.count = -1}), HasSubstr("count=-1: expected 0 or more"));
}

TEST(Check, RefusesAMatrixOfOtherRanks) {
  const auto two = std::make_shared<const CountsMatrix>(std::vector(2, std::vector<std::int64_t>(2, 1)));
  EXPECT_THAT(refusal({.operation = Operation::all_to_all_v, .ranks = 3, .counts = two}),
              HasSubstr("the traffic matrix is of 2 ranks, but 3 run: give one of 3 rows"));
  EXPECT_THAT(refusal({.operation = Operation::all_to_all, .ranks = 2, .counts = two}),
              HasSubstr("all_to_all: takes no traffic matrix"));
  EXPECT_THAT(refusal({.operation = Operation::all_to_all_v, .ranks = 2}),
              HasSubstr("all_to_all_v: needs a traffic matrix"));
}

TEST(Check, RefusesANodeMapOfOtherRanks) {
  EXPECT_THAT(refusal({.ranks = 3, .node_of = {0, 0}}), HasSubstr("the node map is of 2 ranks, but 3 run"));
}

TEST(Shape, OfAnAllGatherInPlaceHasTheInputAtTheOwnBlock) {
  const Shape shape = shape_of({.operation = Operation::all_gather, .ranks = 4, .count = 10}, 2);
  EXPECT_EQ(shape.input, 2);
  EXPECT_EQ(shape.output, 10);
  EXPECT_EQ(shape.input_at, 6);
  EXPECT_EQ(shape.together, 10);
}

TEST(Shape, OfARootedOperationIsWholeAtTheRootOnly) {
  const Problem gather{.operation = Operation::gather, .ranks = 4, .count = 12, .root = 1};
  EXPECT_EQ(shape_of(gather, 1).output, 12);
  EXPECT_EQ(shape_of(gather, 0).output, 0);
  const Problem reduce{.operation = Operation::reduce, .ranks = 4, .count = 12, .root = 1};
  EXPECT_EQ(shape_of(reduce, 0).input, 12);
  EXPECT_EQ(shape_of(reduce, 0).output, 0);
}

}  // namespace
}  // namespace assay::collectives
