// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

constexpr std::array<std::string_view, 11> names{
    "all_reduce", "all_gather", "reduce_scatter", "broadcast",    "reduce", "gather",
    "scatter",    "all_to_all", "all_to_all_v",   "send_receive", "barrier"};  // by Operation

Shape in_one_buffer(std::int64_t elements) { return {elements, elements, 0, 0, elements}; }

/// A block and the whole: in place, the block is where it belongs within the whole.
Shape from_block(const Problem& problem, int rank, bool whole_here) {
  const Blocks blocks = problem.blocks();
  const std::int64_t own = blocks.size(rank);
  if (!whole_here) return {own, 0, 0, 0, own};
  return {own, problem.count, blocks.first(rank), 0, problem.count};
}
Shape into_block(const Problem& problem, int rank, bool whole_here) {
  const Blocks blocks = problem.blocks();
  const std::int64_t own = blocks.size(rank);
  if (!whole_here) return {0, own, 0, 0, own};
  return {problem.count, own, 0, blocks.first(rank), problem.count};
}

Shape all_to_all_shape(const Problem& problem, int rank) {
  Shape shape;
  for (int peer = 0; peer < problem.ranks; ++peer) {
    shape.input += problem.between(rank, peer);
    shape.output += problem.between(peer, rank);
  }
  shape.together = std::max(shape.input, shape.output);
  return shape;
}

}  // namespace

std::string_view to_text(Operation operation) { return names[static_cast<std::size_t>(operation)]; }

Operation operation_from(std::string_view text) {
  const auto* const found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<Operation>(found - names.begin());
  core::usage_error(fmt::format("operation '{}': expected {}", text, fmt::join(names, ", ")));
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> list;
    for (const std::string_view name : names) list.push_back(operation_from(name));
    return list;
  }();
  return all;
}

bool reduces(Operation operation) {
  return operation == Operation::all_reduce || operation == Operation::reduce_scatter ||
         operation == Operation::reduce;
}

bool has_root(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce ||
         operation == Operation::gather || operation == Operation::scatter;
}

int Problem::nodes() const {
  return node_of.empty() ? 1 : static_cast<int>(std::set<int>(node_of.begin(), node_of.end()).size());
}

std::int64_t Problem::between(int from, int to) const {
  return counts ? counts->at(from, to) : blocks().size(to);
}

void check(const Problem& problem) {
  if (problem.ranks < 1) core::usage_error(fmt::format("ranks={}: expected 1 or more", problem.ranks));
  if (problem.count < 0) core::usage_error(fmt::format("count={}: expected 0 or more", problem.count));
  if (problem.root < 0 || problem.root >= problem.ranks)
    core::usage_error(fmt::format("root={}: expected a rank, 0 to {}", problem.root, problem.ranks - 1));
  if ((problem.operation == Operation::all_to_all_v) != (problem.counts != nullptr))
    core::usage_error(fmt::format("{}: {}", to_text(problem.operation),
                                  problem.counts ? "takes no traffic matrix" : "needs a traffic matrix"));
  if (problem.counts && problem.counts->ranks() != problem.ranks)
    core::usage_error(fmt::format("the traffic matrix is of {} ranks, but {} run: give one of {} rows",
                                  problem.counts->ranks(), problem.ranks, problem.ranks));
  if (!problem.node_of.empty() && problem.node_of.size() != static_cast<std::size_t>(problem.ranks))
    core::usage_error(
        fmt::format("the node map is of {} ranks, but {} run", problem.node_of.size(), problem.ranks));
}

Shape shape_of(const Problem& problem, int rank) {
  const bool at_root = rank == problem.root;
  switch (problem.operation) {
    case Operation::all_reduce:
    case Operation::send_receive:
      return in_one_buffer(problem.count);
    case Operation::broadcast:
      return at_root ? in_one_buffer(problem.count) : Shape{0, problem.count, 0, 0, problem.count};
    case Operation::reduce:
      return at_root ? in_one_buffer(problem.count) : Shape{problem.count, 0, 0, 0, problem.count};
    case Operation::all_gather:
      return from_block(problem, rank, true);
    case Operation::gather:
      return from_block(problem, rank, at_root);
    case Operation::reduce_scatter:
      return into_block(problem, rank, true);
    case Operation::scatter:
      return into_block(problem, rank, at_root);
    case Operation::all_to_all:
    case Operation::all_to_all_v:
      return all_to_all_shape(problem, rank);
    case Operation::barrier:
      return {};
  }
  return {};
}

}  // namespace assay::collectives
