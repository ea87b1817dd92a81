// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "collectives/algorithms/double_tree.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(Table, HasAnAlgorithmForEveryOperation) {
  std::set<Operation> solved;
  for (const Algorithm& row : algorithms()) solved.insert(row.operation);
  EXPECT_EQ(solved.size(), operations().size());
}

TEST(Table, NamesNoAlgorithmOfAnOperationTwice) {
  std::set<std::pair<Operation, std::string_view>> names;
  for (const Algorithm& row : algorithms())
    EXPECT_TRUE(names.emplace(row.operation, row.name).second) << row.name;
}

TEST(Table, SaysWhichAlgorithmsAnOperationHas) {
  EXPECT_EQ(refusal([] { algorithm(Operation::all_gather, "rails"); }),
            "no algorithm 'rails' for all_gather: expected ring, recursive_doubling, bruck");
}

TEST(Table, RefusesRailsOverNodesOfDifferentSize) {
  const Problem problem{.operation = Operation::all_reduce, .ranks = 3, .count = 8, .node_of = {0, 0, 1}};
  EXPECT_EQ(refusal([&] { schedule_of(algorithm(Operation::all_reduce, "rails"), problem, 0); }),
            "all_reduce rails: needs as many ranks on every node, but one has 1 and another 2");
}

TEST(Table, RefusesAProblemOfAnotherOperation) {
  EXPECT_EQ(refusal([] {
              schedule_of(algorithm(Operation::all_reduce, "ring"), {.operation = Operation::barrier}, 0);
            }),
            "ring of all_reduce asked to solve barrier");
}

struct Figures {
  Operation operation;
  std::string_view algorithm;
  int ranks;
  std::int64_t steps, busiest;  // elements of 840
};

// The closed formulas of the table, worked out by hand for 840 elements.
TEST(Table, DeclaresTheTextbookFigures) {
  const Figures figures[] = {
      {Operation::all_reduce, "ring", 8, 14, 1470},               // 2 * 840 * 7/8
      {Operation::all_reduce, "ring", 7, 12, 1440},               // 2 * 840 * 6/7
      {Operation::all_reduce, "recursive_doubling", 8, 3, 2520},  // 3 * 840
      {Operation::all_reduce, "recursive_doubling", 7, 4, 2520},  // 2 * 840 + 840
      {Operation::all_reduce, "halving_doubling", 8, 6, 1470},    // 2 * 840 * 7/8
      {Operation::all_reduce, "halving_doubling", 7, 6, 2100},    // 2 * 840 * 3/4 + 840
      {Operation::all_reduce, "binomial_tree", 8, 6, 2520},
      {Operation::all_reduce, "double_tree", 8, 6, 1680},
      {Operation::all_gather, "ring", 8, 7, 735},
      {Operation::all_gather, "bruck", 7, 3, 720},
      {Operation::reduce_scatter, "recursive_halving", 8, 3, 735},
      {Operation::reduce_scatter, "recursive_halving", 7, 4, 840},
      {Operation::broadcast, "binomial_tree", 8, 3, 2520},
      {Operation::broadcast, "double_tree", 8, 3, 840},
      {Operation::reduce, "binomial_tree", 5, 3, 840},
      {Operation::gather, "binomial_tree", 8, 3, 420},
      {Operation::scatter, "binomial_tree", 8, 3, 735},
      {Operation::all_to_all, "direct", 8, 1, 735},
      {Operation::all_to_all, "pairwise", 8, 7, 735},
      {Operation::all_to_all, "bruck", 8, 3, 1260},  // 840/2 * 3
      {Operation::barrier, "dissemination", 5, 3, 0},
  };
  for (const Figures& row : figures) {
    const Algorithm& found = algorithm(row.operation, row.algorithm);
    const Problem problem{.operation = row.operation, .ranks = row.ranks, .count = 840};
    std::int64_t busiest = 0;
    for (int rank = 0; rank < row.ranks; ++rank)
      busiest = std::max(busiest, found.sent(problem, rank).elements);
    EXPECT_EQ(found.steps(problem), row.steps) << to_text(row.operation) << " " << row.algorithm;
    EXPECT_EQ(busiest, row.busiest) << to_text(row.operation) << " " << row.algorithm;
  }
}

TEST(DoubleTree, HasNoRankThatIsAnInnerNodeOfBothTrees) {
  for (int m = 1; m <= 130; ++m) {
    const BinaryTree first(m, BinaryTree::Which::first), second(m, BinaryTree::Which::second);
    for (int place = 0; place < m && m > 1; ++place)
      EXPECT_TRUE(first.children(place).empty() || second.children(place).empty()) << m << " " << place;
  }
}

TEST(DoubleTree, ReachesEveryPlaceOnceWithinItsHeight) {
  for (int m = 1; m <= 130; ++m)
    for (const auto which : {BinaryTree::Which::first, BinaryTree::Which::second}) {
      const BinaryTree tree(m, which);
      std::set<int> reached{tree.root()};
      for (int place = 0; place < m; ++place) {
        EXPECT_LE(tree.depth(place), tree.height());
        EXPECT_LE(tree.children(place).size(), 2U);
        for (const int child : tree.children(place)) EXPECT_TRUE(reached.insert(child).second);
      }
      EXPECT_EQ(reached.size(), static_cast<std::size_t>(m));
    }
}

// Checks a schedule of any algorithm, whatever runs it.
void expect_sound(const Schedule& schedule, const Shape& shape, int ranks, int rank) {
  const auto fits = [&](const Range& range) {
    const std::int64_t size = range.buffer == Buffer::input    ? shape.input
                              : range.buffer == Buffer::output ? shape.output
                                                               : schedule.scratch;
    return range.first >= 0 && range.count >= 0 && range.first + range.count <= size;
  };
  const auto overlap = [](const Range& a, const Range& b) {
    return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
  };
  for (const Step& step : schedule.steps) {
    for (const Send& send : step.sends) EXPECT_TRUE(fits(send.from) && send.to != rank && send.to < ranks);
    for (const Receive& receive : step.receives) {
      EXPECT_TRUE(fits(receive.into) && receive.from != rank && receive.from >= 0 && receive.from < ranks);
      EXPECT_NE(receive.into.buffer, Buffer::input);
      for (const Send& send : step.sends) EXPECT_TRUE(receive.reduce || !overlap(send.from, receive.into));
    }
    for (const Local& local : step.then)
      EXPECT_TRUE(fits(local.from) && fits(local.into) && local.from.count == local.into.count);
  }
}

TEST(Schedule, StaysWithinItsBuffersAndNeverReceivesOverWhatItSends) {
  for (const Algorithm& row : algorithms())
    for (int n = 1; n <= 33; ++n) {
      Problem problem{.operation = row.operation, .ranks = n, .count = 3 * n + n / 2, .root = n / 3};
      if (row.operation == Operation::all_to_all_v)
        problem.counts = std::make_shared<const CountsMatrix>(std::vector(
            static_cast<std::size_t>(n), std::vector<std::int64_t>(static_cast<std::size_t>(n), 2)));
      for (int rank = 0; rank < n; ++rank) {
        SCOPED_TRACE(std::string(to_text(row.operation)) + " " + std::string(row.name) +
                     " n=" + std::to_string(n) + " rank " + std::to_string(rank));
        expect_sound(schedule_of(row, problem, rank), shape_of(problem, rank), n, rank);
      }
    }
}

}  // namespace
}  // namespace assay::collectives
