// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/mpi_operation.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "collectives/mpi/mpi_transport.hpp"

namespace assay::collectives {
namespace {

/// Appends counts and where each begins.
void append(std::vector<int>& counts, std::vector<int>& firsts, std::int64_t count) {
  firsts.push_back(counts.empty() ? 0 : firsts.back() + counts.back());
  counts.push_back(static_cast<int>(count));
}

std::int64_t most_elements(const Problem& problem) {
  std::int64_t most = 0;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const Shape shape = shape_of(problem, rank);
    most = std::max({most, shape.input, shape.output});
  }
  return most;
}

/// The root of a gather gives its block in place, that of a scatter keeps it there; elsewhere both buffers
/// are as ever.
bool place_matters(Operation operation, bool at_root) {
  const bool rooted =
      operation == Operation::gather || operation == Operation::scatter || operation == Operation::reduce;
  return !rooted || at_root;
}

}  // namespace

std::string why_not_mpi(const Problem& problem) {
  if (most_elements(problem) > std::numeric_limits<int>::max()) return "MPI counts up to 2147483647 elements";
  if (problem.operation == Operation::broadcast && !problem.in_place)
    return "MPI_Bcast works in place only: in_place=1";
  if (!problem.in_place) return {};
  switch (problem.operation) {
    case Operation::reduce_scatter:
      return "MPI leaves an in-place reduce-scatter's result at the buffer's beginning, not at the own block";
    case Operation::all_to_all:
      return problem.count % problem.ranks == 0 ? "" : "MPI_Alltoallv in place needs blocks of one size";
    case Operation::all_to_all_v:
      return "MPI_Alltoallv in place needs a symmetric matrix";
    default:
      return {};
  }
}

MpiOperation::MpiOperation(const MpiDataCalls& calls, const Problem& problem, DataType type,
                           Operator reduction, int rank, int communicator)
    : calls_(calls), in_place_(problem.in_place), at_root_(rank == problem.root) {
  collective_.communicator = communicator;
  collective_.operation = problem.operation;
  collective_.type = type;
  collective_.reduction = reduction;
  if (reduction == Operator::avg && reduces(problem.operation)) {
    collective_.reduction = Operator::sum;
    averaged_over_ = problem.ranks;
  }
  if (is_narrow_float(type) && reduces(problem.operation)) collective_.reduce = reduce_into;
  collective_.root = problem.root;
  collective_.count = static_cast<int>(problem.count);
  collective_.block = static_cast<int>(problem.blocks().size(rank));
  if (problem.operation == Operation::all_to_all_v ||
      (problem.operation == Operation::all_to_all && problem.count % problem.ranks != 0))
    cut_all_to_all(problem, rank);
  else if (problem.count % problem.ranks != 0)
    cut_into_blocks(problem);
}

void MpiOperation::cut_into_blocks(const Problem& problem) {
  for (int rank = 0; rank < problem.ranks; ++rank)
    append(receive_counts_, receive_firsts_, problem.blocks().size(rank));
  if (problem.operation == Operation::scatter) {
    send_counts_ = receive_counts_;
    send_firsts_ = receive_firsts_;
    collective_.send_counts = send_counts_.data();
    collective_.send_firsts = send_firsts_.data();
    return;
  }
  collective_.receive_counts = receive_counts_.data();
  collective_.receive_firsts = receive_firsts_.data();
}

void MpiOperation::cut_all_to_all(const Problem& problem, int rank) {
  for (int peer = 0; peer < problem.ranks; ++peer) {
    append(send_counts_, send_firsts_, problem.between(rank, peer));
    append(receive_counts_, receive_firsts_, problem.between(peer, rank));
  }
  collective_.send_counts = send_counts_.data();
  collective_.send_firsts = send_firsts_.data();
  collective_.receive_counts = receive_counts_.data();
  collective_.receive_firsts = receive_firsts_.data();
}

void MpiOperation::run(std::span<const std::byte> input, std::span<std::byte> output) {
  const bool here = in_place_ && place_matters(collective_.operation, at_root_);
  collective_.input = here && collective_.operation != Operation::scatter ? nullptr : input.data();
  collective_.output = output.data();
  collective_.in_place_scatter = here && collective_.operation == Operation::scatter;
  check_mpi(calls_, calls_.run(&collective_), function());
  if (averaged_over_ > 0)
    average(collective_.type, averaged_over_, output.data(), std::ssize(output) / bytes_of(collective_.type));
}

std::vector<core::Fact> MpiOperation::facts() const {
  std::vector<core::Fact> facts{{"mpi_library", std::string(calls_.library())}, {"mpi_function", function()}};
  if (collective_.reduce != nullptr)
    facts.emplace_back("mpi_operator", "assay's, by conversion to fp32: MPI has no narrow floats");
  if (averaged_over_ > 0) facts.emplace_back("mpi_mean", "MPI_SUM, then divided by assay: MPI has no mean");
  return facts;
}

std::string MpiOperation::function() const {
  struct Functions {
    const char *even, *other;  // blocks of one size, buffers apart; else
  };
  static constexpr std::array<Functions, 11> by_operation{{{"MPI_Allreduce", "MPI_Allreduce"},
                                                           {"MPI_Allgather", "MPI_Allgatherv"},
                                                           {"MPI_Reduce_scatter_block", "MPI_Reduce_scatter"},
                                                           {"MPI_Bcast", "MPI_Bcast"},
                                                           {"MPI_Reduce", "MPI_Reduce"},
                                                           {"MPI_Gather", "MPI_Gatherv"},
                                                           {"MPI_Scatter", "MPI_Scatterv"},
                                                           {"MPI_Alltoall", "MPI_Alltoallv"},
                                                           {"MPI_Alltoall", "MPI_Alltoallv"},
                                                           {"MPI_Sendrecv", "MPI_Sendrecv_replace"},
                                                           {"MPI_Barrier", "MPI_Barrier"}}};
  const Functions& functions = by_operation[static_cast<std::size_t>(collective_.operation)];
  const bool other = collective_.operation == Operation::send_receive
                         ? in_place_
                         : collective_.send_counts != nullptr || collective_.receive_counts != nullptr;
  return other ? functions.other : functions.even;
}

}  // namespace assay::collectives
