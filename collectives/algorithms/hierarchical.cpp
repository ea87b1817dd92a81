// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Inside the node first, then across: algorithms of two tiers over a map of ranks to nodes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collectives/algorithms/fold.hpp"
#include "collectives/algorithms/schedules.hpp"

namespace assay::collectives {
namespace {

using Members = std::vector<int>;  // ranks of a group, by their place in it

int place_of(const Members& members, int rank) {
  return static_cast<int>(std::ranges::find(members, rank) - members.begin());
}

/// Nodes in the order of their lowest ranks; each node's ranks in order, its leader first.
struct Nodes {
  explicit Nodes(const Problem& problem) {
    std::map<int, std::size_t> index;
    for (int rank = 0; rank < problem.ranks; ++rank) {
      const int node = problem.node_of.empty() ? 0 : problem.node_of[static_cast<std::size_t>(rank)];
      const auto [at, is_new] = index.try_emplace(node, ranks_of.size());
      if (is_new) ranks_of.emplace_back();
      ranks_of[at->second].push_back(rank);
    }
    for (Members& ranks : ranks_of) {
      const auto root = std::ranges::find(ranks, problem.root);
      if (has_root(problem.operation) && root != ranks.end()) std::rotate(ranks.begin(), root, root + 1);
      leaders.push_back(ranks.front());
    }
  }

  const Members& with(int rank) const {
    return *std::ranges::find_if(
        ranks_of, [rank](const Members& ranks) { return std::ranges::find(ranks, rank) != ranks.end(); });
  }
  int largest() const { return static_cast<int>(std::ranges::max(ranks_of, {}, &Members::size).size()); }
  int count() const { return static_cast<int>(ranks_of.size()); }
  /// The ranks in a rank's place on every node. Needs as many on each.
  Members rail_of(int rank) const {
    const auto place = static_cast<std::size_t>(place_of(with(rank), rank));
    Members rail;
    for (const Members& ranks : ranks_of) rail.push_back(ranks[place]);
    return rail;
  }

  std::vector<Members> ranks_of;
  Members leaders;
};

Problem within(const Members& members, Operation operation, std::int64_t count, int root = 0) {
  return {.operation = operation, .ranks = static_cast<int>(members.size()), .count = count, .root = root};
}

using Make = Schedule (*)(const Problem&, int);

constexpr std::string_view inside_nodes = "inside", across_nodes = "across";

/// Appends a group's algorithm as a phase, its ranks renamed, its input and output placed at `in` and `out`.
void append(Schedule& schedule, std::size_t phase, Make make, const Problem& problem, const Members& members,
            int rank, Range in, Range out) {
  const std::int64_t scratch_base = schedule.scratch;
  const auto placed = [&](Range range) {
    if (range.buffer == Buffer::scratch) return scratch(scratch_base + range.first, range.count);
    const Range& base = range.buffer == Buffer::input ? in : out;
    return Range{base.buffer, base.first + range.first, range.count};
  };
  Schedule part = make(problem, place_of(members, rank));
  for (Step& step : part.steps) {
    for (Send& send : step.sends) send = {members[static_cast<std::size_t>(send.to)], placed(send.from)};
    for (Receive& receive : step.receives)
      receive = {members[static_cast<std::size_t>(receive.from)], placed(receive.into), receive.reduce};
    for (Local& local : step.then) local = {placed(local.from), placed(local.into), local.reduce};
    step.phase = phase;
    schedule.steps.push_back(std::move(step));
  }
  schedule.scratch += part.scratch;
}

std::int64_t halving_doubling_steps(int ranks) { return 2 * log2_floor(ranks) + Fold::extra_steps(ranks); }

}  // namespace

Schedule leader_all_reduce(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const Range in = input(0, problem.count), out = output(0, problem.count);
  Schedule schedule{.phases = {inside_nodes, across_nodes, inside_nodes}};
  append(schedule, 0, binomial_reduce, within(node, Operation::reduce, problem.count), node, rank, in, out);
  if (rank == node.front())
    append(schedule, 1, halving_doubling_all_reduce,
           within(nodes.leaders, Operation::all_reduce, problem.count), nodes.leaders, rank, out, out);
  append(schedule, 2, binomial_broadcast, within(node, Operation::broadcast, problem.count), node, rank, out,
         out);
  return schedule;
}

Schedule leader_broadcast(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const Range in = input(0, problem.count), out = output(0, problem.count);
  Schedule schedule{.phases = {across_nodes, inside_nodes}};
  if (rank == node.front())
    append(schedule, 0, binomial_broadcast,
           within(nodes.leaders, Operation::broadcast, problem.count,
                  place_of(nodes.leaders, nodes.with(problem.root).front())),
           nodes.leaders, rank, in, out);
  append(schedule, 1, binomial_broadcast, within(node, Operation::broadcast, problem.count), node, rank, out,
         out);
  return schedule;
}

Schedule leader_reduce(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const bool leads = rank == node.front(), is_root = rank == problem.root;
  Schedule schedule{.scratch = leads && !is_root ? problem.count : 0, .phases = {inside_nodes, across_nodes}};
  const Range of_node = is_root ? output(0, problem.count) : scratch(0, problem.count);
  append(schedule, 0, binomial_reduce, within(node, Operation::reduce, problem.count), node, rank,
         input(0, problem.count), of_node);
  if (leads)
    append(schedule, 1, binomial_reduce,
           within(nodes.leaders, Operation::reduce, problem.count,
                  place_of(nodes.leaders, nodes.with(problem.root).front())),
           nodes.leaders, rank, of_node, of_node);
  return schedule;
}

Schedule rail_all_reduce(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const Members rail = nodes.rail_of(rank);
  const Blocks blocks{problem.count, static_cast<int>(node.size())};
  const int place = place_of(node, rank);
  const Range own = output(blocks.first(place), blocks.size(place));
  Schedule schedule{.phases = {inside_nodes, across_nodes, inside_nodes}};
  append(schedule, 0, ring_reduce_scatter, within(node, Operation::reduce_scatter, problem.count), node, rank,
         input(0, problem.count), own);
  append(schedule, 1, halving_doubling_all_reduce, within(rail, Operation::all_reduce, own.count), rail, rank,
         own, own);
  append(schedule, 2, ring_all_gather, within(node, Operation::all_gather, problem.count), node, rank, own,
         output(0, problem.count));
  return schedule;
}

std::string why_no_rails(const Problem& problem) {
  const Nodes nodes(problem);
  const auto [fewest, most] = std::ranges::minmax(nodes.ranks_of, {}, &Members::size);
  if (fewest.size() == most.size()) return {};
  return fmt::format("needs as many ranks on every node, but one has {} and another {}", fewest.size(),
                     most.size());
}

Sent leader_all_reduce_sent(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const Problem inside = within(node, Operation::reduce, problem.count);
  Sent sent = binomial_reduce_sent(inside, place_of(node, rank));
  if (rank == node.front())
    sent += halving_doubling_all_reduce_sent(within(nodes.leaders, Operation::all_reduce, problem.count),
                                             place_of(nodes.leaders, rank));
  return sent += binomial_broadcast_sent(inside, place_of(node, rank));
}

Sent leader_broadcast_sent(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  Sent sent =
      binomial_broadcast_sent(within(node, Operation::broadcast, problem.count), place_of(node, rank));
  if (rank == node.front())
    sent += binomial_broadcast_sent(
        within(nodes.leaders, Operation::broadcast, problem.count, place_of(nodes.leaders, problem.root)),
        place_of(nodes.leaders, rank));
  return sent;
}

// Everyone but the root sends once: to its leader, or as a leader to another.
Sent leader_reduce_sent(const Problem& problem, int rank) {
  return rank == problem.root ? Sent{} : Sent{1, problem.count};
}

Sent rail_all_reduce_sent(const Problem& problem, int rank) {
  const Nodes nodes(problem);
  const Members& node = nodes.with(rank);
  const Members rail = nodes.rail_of(rank);
  const Problem inside = within(node, Operation::all_reduce, problem.count);
  const int place = place_of(node, rank);
  Sent sent = ring_reduce_scatter_sent(inside, place);
  sent += ring_all_gather_sent(inside, place);
  return sent += halving_doubling_all_reduce_sent(
             within(rail, Operation::all_reduce, inside.blocks().size(place)), place_of(rail, rank));
}

std::int64_t leader_all_reduce_steps(const Problem& problem) {
  const Nodes nodes(problem);
  return std::int64_t{2} * log2_ceiling(nodes.largest()) + halving_doubling_steps(nodes.count());
}

std::int64_t leader_tree_steps(const Problem& problem) {
  const Nodes nodes(problem);
  return log2_ceiling(nodes.largest()) + log2_ceiling(nodes.count());
}

std::int64_t rail_all_reduce_steps(const Problem& problem) {
  const Nodes nodes(problem);
  return std::int64_t{2} * (nodes.largest() - 1) + halving_doubling_steps(nodes.count());
}

}  // namespace assay::collectives
