// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Binomial trees: the number of ranks reached doubles every step. Ranks are counted from the root on.
#include <utility>

#include "collectives/algorithms/schedules.hpp"

namespace assay::collectives {
namespace {

/// A rank's place in the tree. The parent of place v is v without its lowest set bit; its children add one
/// bit below that.
struct Tree {
  Tree(const Problem& problem, int rank)
      : n(problem.ranks), root(problem.root), place(wrapped(rank - root, n)) {
    for (int bit = 1; bit < n && (place & bit) == 0; bit *= 2)
      if (place + bit < n) children.push_back(place + bit);
  }

  int rank_of(int at) const { return (root + at) % n; }
  int parent() const { return rank_of(place & (place - 1)); }
  bool is_root() const { return place == 0; }
  /// One past the last place of the tree below `at`.
  int end(int at) const { return at == 0 ? n : std::min(n, at + (at & -at)); }

  int n, root, place;
  std::vector<int> children;  // nearest first; the farthest has the largest tree below it
};

/// Elements by place: a tree's blocks stand together.
struct PlacedBlocks {
  PlacedBlocks(const Problem& problem) : blocks(problem.blocks()), root(problem.root) {
    for (int place = 0; place < blocks.parts; ++place)
      edges.push_back(edges.back() + blocks.size((root + place) % blocks.parts));
  }

  std::int64_t first(int place) const { return edges[static_cast<std::size_t>(place)]; }
  std::int64_t count(int begin, int end) const { return first(end) - first(begin); }
  /// Places whose ranks run past the last one and on from 0 are no single range of the root's buffer.
  bool wraps(int begin, int end) const { return root + begin < blocks.parts && root + end > blocks.parts; }
  Range at_root(Buffer buffer, int begin, int end) const {
    return {buffer, blocks.first((root + begin) % blocks.parts), count(begin, end)};
  }

  Blocks blocks;
  int root;
  std::vector<std::int64_t> edges{0};
};

/// The two pieces of wrapping places: {in the root's buffer, in scratch by place}.
std::vector<std::pair<Range, Range>> pieces(const PlacedBlocks& placed, Buffer buffer, int begin, int end) {
  const int seam = placed.blocks.parts - placed.root;
  const auto piece = [&](int from, int to) {
    return std::pair(placed.at_root(buffer, from, to), scratch(placed.first(from), placed.count(from, to)));
  };
  return {piece(begin, seam), piece(seam, end)};
}

Range own_block(const PlacedBlocks& placed, Buffer buffer) { return placed.at_root(buffer, 0, 1); }

Schedule gather_at_root(const Tree& tree, const PlacedBlocks& placed) {
  Schedule schedule{.scratch = placed.blocks.count};
  const Range own = own_block(placed, Buffer::output);
  schedule.steps.push_back(copy(input(0, own.count), own));
  for (const int child : tree.children) {
    const int end = tree.end(child);
    Step step;
    if (placed.wraps(child, end)) {
      step.receives = {{tree.rank_of(child), scratch(placed.first(child), placed.count(child, end))}};
      for (const auto& [place, aside] : pieces(placed, Buffer::output, child, end))
        step.then.push_back({aside, place});
    } else {
      step.receives = {{tree.rank_of(child), placed.at_root(Buffer::output, child, end)}};
    }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

Schedule scatter_at_root(const Tree& tree, const PlacedBlocks& placed) {
  Schedule schedule{.scratch = placed.blocks.count};
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) {
    const int end = tree.end(*child);
    Range data = placed.at_root(Buffer::input, *child, end);
    if (placed.wraps(*child, end)) {
      data = scratch(placed.first(*child), placed.count(*child, end));
      Step aside;
      for (const auto& [place, in_scratch] : pieces(placed, Buffer::input, *child, end))
        aside.then.push_back({place, in_scratch});
      schedule.steps.push_back(std::move(aside));
    }
    schedule.steps.push_back({.sends = {{tree.rank_of(*child), data}}});
  }
  const Range own = own_block(placed, Buffer::input);
  schedule.steps.push_back(copy(own, output(0, own.count)));
  return schedule;
}

Sent with_children(const Tree& tree, const PlacedBlocks& placed) {
  Sent sent;
  for (const int child : tree.children) sent += {1, placed.count(child, tree.end(child))};
  return sent;
}

}  // namespace

Schedule binomial_broadcast(const Problem& problem, int rank) {
  const Tree tree(problem, rank);
  const Range whole = output(0, problem.count);
  Schedule schedule;
  if (tree.is_root())
    schedule.steps.push_back(copy(input(0, problem.count), whole));
  else
    schedule.steps.push_back({.receives = {{tree.parent(), whole}}});
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child)
    schedule.steps.push_back({.sends = {{tree.rank_of(*child), whole}}});
  return schedule;
}

Schedule binomial_reduce(const Problem& problem, int rank) {
  const Tree tree(problem, rank);
  const Range in = input(0, problem.count);
  if (tree.children.empty() && !tree.is_root()) return {.steps = {{.sends = {{tree.parent(), in}}}}};
  const Range sum = tree.is_root() ? output(0, problem.count) : scratch(0, problem.count);
  Schedule schedule{.scratch = tree.is_root() ? 0 : problem.count, .steps = {copy(in, sum)}};
  for (const int child : tree.children)
    schedule.steps.push_back({.receives = {{tree.rank_of(child), sum, true}}});
  if (!tree.is_root()) schedule.steps.push_back({.sends = {{tree.parent(), sum}}});
  return schedule;
}

Schedule binomial_gather(const Problem& problem, int rank) {
  const Tree tree(problem, rank);
  const PlacedBlocks placed(problem);
  if (tree.is_root()) return gather_at_root(tree, placed);
  const Range own = input(0, placed.count(tree.place, tree.place + 1));
  if (tree.children.empty()) return {.steps = {{.sends = {{tree.parent(), own}}}}};
  const std::int64_t base = placed.first(tree.place);
  const Range all = scratch(0, placed.count(tree.place, tree.end(tree.place)));
  Schedule schedule{.scratch = all.count, .steps = {copy(own, scratch(0, own.count))}};
  for (const int child : tree.children)
    schedule.steps.push_back(
        {.receives = {{tree.rank_of(child),
                       scratch(placed.first(child) - base, placed.count(child, tree.end(child)))}}});
  schedule.steps.push_back({.sends = {{tree.parent(), all}}});
  return schedule;
}

Schedule binomial_scatter(const Problem& problem, int rank) {
  const Tree tree(problem, rank);
  const PlacedBlocks placed(problem);
  if (tree.is_root()) return scatter_at_root(tree, placed);
  const Range own = output(0, placed.count(tree.place, tree.place + 1));
  if (tree.children.empty()) return {.steps = {{.receives = {{tree.parent(), own}}}}};
  const std::int64_t base = placed.first(tree.place);
  const Range all = scratch(0, placed.count(tree.place, tree.end(tree.place)));
  Schedule schedule{.scratch = all.count, .steps = {{.receives = {{tree.parent(), all}}}}};
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child)
    schedule.steps.push_back(
        {.sends = {{tree.rank_of(*child),
                    scratch(placed.first(*child) - base, placed.count(*child, tree.end(*child)))}}});
  schedule.steps.push_back(copy(scratch(0, own.count), own));
  return schedule;
}

Schedule binomial_all_reduce(const Problem& problem, int rank) {
  Problem from_0 = problem;
  from_0.root = 0;
  Schedule schedule = binomial_reduce(from_0, rank);
  Schedule down = binomial_broadcast(from_0, rank);
  if (rank == 0) down.steps.erase(down.steps.begin());  // the result is in the output already
  for (Step& step : down.steps) schedule.steps.push_back(std::move(step));
  return schedule;
}

Sent binomial_broadcast_sent(const Problem& problem, int rank) {
  const auto children = static_cast<std::int64_t>(Tree(problem, rank).children.size());
  return {children, children * problem.count};
}

Sent binomial_reduce_sent(const Problem& problem, int rank) {
  return rank == problem.root ? Sent{} : Sent{1, problem.count};
}

Sent binomial_gather_sent(const Problem& problem, int rank) {
  const Tree tree(problem, rank);
  return tree.is_root() ? Sent{} : Sent{1, PlacedBlocks(problem).count(tree.place, tree.end(tree.place))};
}

Sent binomial_scatter_sent(const Problem& problem, int rank) {
  return with_children(Tree(problem, rank), PlacedBlocks(problem));
}

Sent binomial_all_reduce_sent(const Problem& problem, int rank) {
  Problem from_0 = problem;
  from_0.root = 0;
  Sent sent = binomial_reduce_sent(from_0, rank);
  return sent += binomial_broadcast_sent(from_0, rank);
}

}  // namespace assay::collectives
