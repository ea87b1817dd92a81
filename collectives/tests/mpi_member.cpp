// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank for the test of MPI: every algorithm over its point to point, and every operation of its own. Prints
// one line: how many were right, or the first that was not.
#include <iostream>
#include <stdexcept>

#include "collectives/algorithms/table.hpp"
#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/tests/one_run.hpp"
#include "collectives/transport/executor.hpp"
#include "harness/team/join/launched_team.hpp"

namespace assay::collectives {
namespace {

constexpr Content content{DataType::fp64, Operator::sum, 3};

Problem problem_of(Operation operation, int ranks, std::int64_t count, bool in_place) {
  Problem problem{
      .operation = operation, .ranks = ranks, .count = count, .root = ranks - 1, .in_place = in_place};
  const auto n = static_cast<std::size_t>(ranks);
  if (operation == Operation::all_to_all_v) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 5));
    rows[0][n - 1] = 70'000;
    problem.counts = std::make_shared<const CountsMatrix>(std::move(rows));
  }
  return problem;
}

void expect_right(const std::string& wrong, const Problem& problem, std::string_view by) {
  if (wrong.empty()) return;
  throw std::runtime_error(std::string(to_text(problem.operation)) + " by " + std::string(by) + " of " +
                           std::to_string(problem.count) + (problem.in_place ? " in place: " : ": ") + wrong);
}

int run_algorithms(int rank, int ranks, Transport& transport) {
  int right = 0;
  for (const Algorithm& row : algorithms())
    for (const std::int64_t count : {7, 840, 300'001})
      for (const bool in_place : {false, true}) {
        const Problem problem = problem_of(row.operation, ranks, count, in_place);
        Executor executor(schedule_of(row, problem, rank), content.type, content.reduction, transport);
        expect_right(wrong_with(problem, content, rank, [&](auto in, auto out) { executor.run(in, out); }),
                     problem, row.name);
        ++right;
      }
  return right;
}

int run_operations(int rank, int ranks, const MpiDataCalls& calls, const Content& content) {
  int right = 0;
  for (const Operation operation : operations())
    for (const std::int64_t count : {7, 840, 300'001})
      for (const bool in_place : {false, true}) {
        const Problem problem = problem_of(operation, ranks, count, in_place);
        if (!why_not_mpi(problem).empty()) continue;
        if (content.reduction == Operator::avg && !reduces(operation)) continue;
        MpiOperation mpi(calls, problem, content.type, content.reduction, rank);
        expect_right(wrong_with(problem, content, rank, [&](auto in, auto out) { mpi.run(in, out); }),
                     problem, mpi.function());
        ++right;
      }
  return right;
}

std::string run() {
  const auto team = team::team_from_environment(team::hello_of_this_host());
  const MpiDataCalls* calls = mpi_data_calls();
  if (calls == nullptr) return "no MPI";
  const auto transport = make_mpi_transport(*calls, 30);
  const int rank = transport->rank(), ranks = transport->size();
  const int algorithms = run_algorithms(rank, ranks, *transport);
  int operations = 0;
  for (const DataType type : {DataType::fp64, DataType::bf16, DataType::fp16, DataType::fp8_e4m3})
    for (const Operator reduction : {Operator::sum, Operator::avg})
      operations += run_operations(rank, ranks, *calls, {type, reduction, 3});
  return "rank " + std::to_string(rank) + " of " + std::to_string(ranks) + ": " + std::to_string(algorithms) +
         " runs of algorithms and " + std::to_string(operations) + " of MPI's own are right";
}

/// Rank 1 never sends what the others wait for.
std::string wait_in_vain() {
  const auto team = team::team_from_environment(team::hello_of_this_host());
  const auto transport = make_mpi_transport(*mpi_data_calls(), 0.3);
  std::byte byte{};
  if (transport->rank() == 0) {
    transport->receive(1, {&byte, 1});
    transport->wait();
  }
  team->barrier(20);
  return "rank " + std::to_string(transport->rank()) + " waited for nothing";
}

}  // namespace
}  // namespace assay::collectives

int main(int count, char** arguments) {
  try {
    const bool in_vain = count > 1 && std::string_view(arguments[1]) == "late";
    std::cout << (in_vain ? assay::collectives::wait_in_vain() : assay::collectives::run()) + "\n"
              << std::flush;
    return 0;
  } catch (const std::exception& error) {
    std::cout << std::string(error.what()) + "\n" << std::flush;
    return 3;
  }
}
