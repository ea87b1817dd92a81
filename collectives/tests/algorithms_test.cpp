// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every algorithm, for 1 to 33 ranks as threads: results bit by bit, and what went over the transport against
// what the table declares.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "collectives/algorithms/table.hpp"
#include "collectives/content.hpp"
#include "collectives/tests/counting_transport.hpp"
#include "collectives/tests/one_run.hpp"
#include "collectives/tests/thread_ranks.hpp"
#include "collectives/transport/executor.hpp"

namespace assay::collectives {
namespace {

constexpr int most_ranks = 33;

struct Trial {
  Problem problem;
  Content content;
};

std::string text_of(const Trial& trial) {
  const Problem& problem = trial.problem;
  return std::string(to_text(problem.operation)) + " n=" + std::to_string(problem.ranks) +
         " count=" + std::to_string(problem.count) + " root=" + std::to_string(problem.root) +
         (problem.in_place ? " in place" : "") + " " + std::string(to_text(trial.content.type)) + " " +
         std::string(to_text(trial.content.reduction)) + " nodes of " +
         std::to_string(std::count(problem.node_of.begin(), problem.node_of.end(), 0));
}

std::shared_ptr<const CountsMatrix> uneven_matrix(int n) {
  std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(n));
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to) rows[static_cast<std::size_t>(from)].push_back((from * 5 + to * 3) % 7);
  return std::make_shared<const CountsMatrix>(std::move(rows));
}

std::vector<int> nodes_of(int n, int per_node) {
  std::vector<int> node_of;
  for (int rank = 0; rank < n; ++rank) node_of.push_back(rank / per_node);
  return node_of;
}

/// Ranks dealt out to nodes in turn.
std::vector<int> dealt_nodes(int n, int nodes) {
  std::vector<int> node_of;
  for (int rank = 0; rank < n; ++rank) node_of.push_back(rank % nodes);
  return node_of;
}

void add_in_and_out_of_place(std::vector<Trial>& trials, const Algorithm& algorithm, Problem problem) {
  if (!algorithm.illegal(problem).empty()) return;
  const auto n = static_cast<std::size_t>(problem.ranks);
  const Content content{data_types()[n % 4], operators()[n / 4 % 4], n};
  for (const bool in_place : {false, true}) {
    problem.in_place = in_place;
    trials.push_back({problem, content});
  }
}

std::vector<Trial> trials_of(const Algorithm& algorithm, int n) {
  std::vector<Trial> trials;
  std::vector<std::vector<int>> maps{{}};
  if (algorithm.over_nodes) maps = {{}, nodes_of(n, 4), nodes_of(n, 1), dealt_nodes(n, 3), dealt_nodes(n, 2)};
  std::vector<int> roots{0};
  if (has_root(algorithm.operation) && n > 1) roots = {0, n / 2, n - 1};
  for (const std::vector<int>& map : maps)
    for (const int root : roots)
      for (const std::int64_t count : {1, 6 * n, 7 * n + n / 2}) {
        Problem problem{
            .operation = algorithm.operation, .ranks = n, .count = count, .root = root, .node_of = map};
        if (algorithm.operation == Operation::all_to_all_v) problem.counts = uneven_matrix(n);
        add_in_and_out_of_place(trials, algorithm, problem);
      }
  return trials;
}

/// Runs one rank's part and returns what is wrong with its result; empty: nothing.
std::string run_one(const Algorithm& algorithm, const Trial& trial, int rank, Transport& transport) {
  Executor executor(schedule_of(algorithm, trial.problem, rank), trial.content.type, trial.content.reduction,
                    transport);
  return wrong_with(trial.problem, trial.content, rank, [&](auto input, auto output) {
    executor.run(input, output);
    end_reduction(trial.problem, trial.content, output);
  });
}

struct Outcome {
  std::vector<std::string> wrong;                 // by rank
  std::vector<std::vector<TransferLog>> traffic;  // by rank
};

std::vector<Outcome> run_all(const Algorithm& algorithm, const std::vector<Trial>& trials, int n) {
  const auto ranks = static_cast<std::size_t>(n);
  std::vector<Outcome> outcomes(
      trials.size(), Outcome{std::vector<std::string>(ranks), std::vector<std::vector<TransferLog>>(ranks)});
  run_ranks(n, [&](int rank, Transport& beneath) {
    CountingTransport transport(beneath);
    const auto at = static_cast<std::size_t>(rank);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      try {
        outcomes[i].wrong[at] = run_one(algorithm, trials[i], rank, transport);
      } catch (const std::exception& error) {
        outcomes[i].wrong[at] = error.what();
        return;
      }
      outcomes[i].traffic[at] = transport.take_log();
    }
  });
  return outcomes;
}

void expect_declared_traffic(const Algorithm& algorithm, const Trial& trial, const Outcome& outcome) {
  const std::int64_t element = bytes_of(trial.content.type);
  for (int rank = 0; rank < trial.problem.ranks; ++rank) {
    const Traffic traffic = sent_in(outcome.traffic[static_cast<std::size_t>(rank)]);
    const Sent declared = algorithm.sent(trial.problem, rank);
    EXPECT_EQ(traffic.messages, declared.messages) << text_of(trial) << " rank " << rank;
    EXPECT_EQ(traffic.bytes, declared.elements * element) << text_of(trial) << " rank " << rank;
  }
  const std::int64_t steps = longest_chain(outcome.traffic);
  if (steps_are_exact(algorithm, trial.problem))
    EXPECT_EQ(steps, algorithm.steps(trial.problem)) << text_of(trial);
  else
    EXPECT_LE(steps, algorithm.steps(trial.problem)) << text_of(trial);
}

void expect_right(const Algorithm& algorithm, const std::vector<Trial>& trials, int n) {
  const std::vector<Outcome> outcomes = run_all(algorithm, trials, n);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    for (int rank = 0; rank < n; ++rank)
      ASSERT_EQ(outcomes[i].wrong[static_cast<std::size_t>(rank)], "")
          << text_of(trials[i]) << " rank " << rank;
    expect_declared_traffic(algorithm, trials[i], outcomes[i]);
  }
}

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {};

TEST_P(EveryAlgorithm, IsRightAndSendsWhatItDeclaresFor1To33Ranks) {
  for (int n = 1; n <= most_ranks; ++n) {
    expect_right(GetParam(), trials_of(GetParam(), n), n);
    if (HasFailure()) return;
  }
}

TEST_P(EveryAlgorithm, WorksFromEveryRootOf7Ranks) {
  std::vector<Trial> trials;
  for (int root = 0; root < 7; ++root) {
    Problem problem{.operation = GetParam().operation,
                    .ranks = 7,
                    .count = 38,
                    .root = root,
                    .node_of = dealt_nodes(7, 2)};
    if (GetParam().operation == Operation::all_to_all_v) problem.counts = uneven_matrix(7);
    add_in_and_out_of_place(trials, GetParam(), problem);
  }
  expect_right(GetParam(), trials, 7);
}

TEST_P(EveryAlgorithm, WorksWithEveryTypeAndOperator) {
  std::vector<Trial> trials;
  for (const DataType type : data_types())
    for (const Operator reduction : operators()) {
      Problem problem{.operation = GetParam().operation, .ranks = 6, .count = 45};
      if (GetParam().operation == Operation::all_to_all_v) problem.counts = uneven_matrix(6);
      trials.push_back({problem, {type, reduction, 11}});
    }
  expect_right(GetParam(), trials, 6);
}

TEST_P(EveryAlgorithm, MovesNothingWrongWithoutElements) {
  Problem problem{.operation = GetParam().operation, .ranks = 5, .count = 0};
  if (GetParam().operation == Operation::all_to_all_v)
    problem.counts = std::make_shared<const CountsMatrix>(std::vector(5, std::vector<std::int64_t>(5, 0)));
  expect_right(GetParam(), {{problem, {}}}, 5);
}

// Long enough for several chunks of a double tree.
TEST_P(EveryAlgorithm, IsRightForAVectorOf100001Elements) {
  Problem problem{.operation = GetParam().operation, .ranks = 9, .count = 100'001};
  if (GetParam().operation == Operation::all_to_all_v) problem.counts = uneven_matrix(9);
  expect_right(GetParam(), {{problem, {}}}, 9);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryAlgorithm, testing::ValuesIn(algorithms().begin(), algorithms().end()),
                         [](const auto& row) {
                           return std::string(to_text(row.param.operation)) + "_" +
                                  std::string(row.param.name);
                         });

}  // namespace
}  // namespace assay::collectives
