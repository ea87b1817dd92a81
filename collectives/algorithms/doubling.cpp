// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Recursive doubling and halving: log2 n steps with partners ever farther (or nearer) apart. Thakur,
// Rabenseifner and Gropp 2005, "Optimization of Collective Communication Operations in MPICH".
#include <utility>

#include "collectives/algorithms/fold.hpp"
#include "collectives/algorithms/schedules.hpp"
#include "harness/schedule/sends.hpp"

namespace assay::collectives {
namespace {

/// The first step of a pair: the even rank's `data` goes to the odd one. Returns false where this rank's part
/// is over until the result comes back.
bool fold_in(Schedule& schedule, const Fold& fold, Range data, Range arriving, bool reduce) {
  if (fold.gives_away()) schedule.steps.push_back({.sends = {{fold.partner(), data}}});
  if (fold.acts_for_two()) schedule.steps.push_back({.receives = {{fold.partner(), arriving, reduce}}});
  return !fold.gives_away();
}

/// The last step of a pair.
void fold_out(Schedule& schedule, const Fold& fold, Range result, Range arriving) {
  if (fold.acts_for_two()) schedule.steps.push_back({.sends = {{fold.partner(), result}}});
  if (fold.gives_away()) schedule.steps.push_back({.receives = {{fold.partner(), arriving}}});
}

/// Messages and elements of a rank that acts for itself (`own`), that acts for two (`own`, then `result` to
/// its partner), or that gives away (`data`).
Sent folded(const Fold& fold, std::int64_t data, Sent own, std::int64_t result) {
  if (fold.gives_away()) return {1, data};
  if (fold.acts_for_two()) own += {1, result};
  return own;
}

/// A declared algorithm whose ranks exchange windows of the vector with one peer a step: those that fold give
/// and get only. The first half of the steps of a power of two, or all of them, reduces.
Schedule exchanges(const Problem& problem, int rank,
                   schedule::MaybeSend (*declared)(schedule::Size, int, int), int steps) {
  const schedule::Size size{problem.ranks, problem.count};
  const Fold fold(problem.ranks, rank);
  const int reducing = Fold::extra_steps(problem.ranks) / 2 + fold.rounds();
  Schedule made{.steps = {copy(input(0, problem.count), output(0, problem.count))}};
  for (int at = 0; at < steps; ++at) {
    Step step;
    const schedule::MaybeSend out = declared(size, at, rank);
    const int peer = out ? out->to : fold.partner();
    const schedule::MaybeSend in = declared(size, at, peer);
    if (out) step.sends = {{peer, output(out->first, out->count)}};
    if (in && in->to == rank) step.receives = {{peer, output(in->first, in->count), at < reducing}};
    if (!step.sends.empty() || !step.receives.empty()) made.steps.push_back(std::move(step));
  }
  return made;
}

}  // namespace

Schedule doubling_all_reduce(const Problem& problem, int rank) {
  return exchanges(problem, rank, schedule::doubling_all_reduce,
                   schedule::doubling_all_reduce_steps(problem.ranks));
}

Schedule doubling_all_gather(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  const Blocks blocks = problem.blocks();
  const auto block = [&](int of) { return output(blocks.first(of), blocks.size(of)); };
  Schedule schedule{.steps = {copy(input(0, blocks.size(rank)), block(rank))}};
  const Range arriving = fold.acts_for_two() ? block(fold.partner()) : Range{};
  if (fold_in(schedule, fold, block(rank), arriving, false))
    gather_doubling(schedule, fold, block_edges(fold, blocks));
  fold_out(schedule, fold, output(0, problem.count), output(0, problem.count));
  return schedule;
}

Schedule halving_reduce_scatter(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  const Blocks blocks = problem.blocks();
  const auto block = [&](int of) { return scratch(blocks.first(of), blocks.size(of)); };
  const Range whole = scratch(0, problem.count);
  const Range own = output(0, blocks.size(rank));
  if (fold.gives_away()) {
    Schedule schedule;
    fold_in(schedule, fold, input(0, problem.count), {}, true);
    fold_out(schedule, fold, {}, own);
    return schedule;
  }
  Schedule schedule{.scratch = problem.count, .steps = {copy(input(0, problem.count), whole)}};
  fold_in(schedule, fold, whole, whole, true);
  halve(schedule, fold, block_edges(fold, blocks), Buffer::scratch);
  schedule.steps.push_back(copy(block(rank), own));
  fold_out(schedule, fold, fold.acts_for_two() ? block(fold.partner()) : Range{}, {});
  return schedule;
}

Schedule halving_doubling_all_reduce(const Problem& problem, int rank) {
  return exchanges(problem, rank, schedule::halving_doubling_all_reduce,
                   schedule::halving_doubling_all_reduce_steps(problem.ranks));
}

Sent doubling_all_reduce_sent(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  return folded(fold, problem.count, {fold.rounds(), fold.rounds() * problem.count}, problem.count);
}

Sent doubling_all_gather_sent(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  const Blocks blocks = problem.blocks();
  return folded(fold, blocks.size(rank), {fold.rounds(), doubling_elements(fold, block_edges(fold, blocks))},
                problem.count);
}

// Halving sends what is not kept, so all but the own share, once.
Sent halving_reduce_scatter_sent(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  const Blocks blocks = problem.blocks();
  const std::int64_t share = share_of(block_edges(fold, blocks), fold.group());
  return folded(fold, problem.count, {fold.rounds(), problem.count - share},
                fold.acts_for_two() ? blocks.size(fold.partner()) : 0);
}

Sent halving_doubling_all_reduce_sent(const Problem& problem, int rank) {
  const Fold fold(problem.ranks, rank);
  const Edges edges = even_edges(fold, problem.count);
  const std::int64_t elements =
      problem.count - share_of(edges, fold.group()) + doubling_elements(fold, edges);
  return folded(fold, problem.count, {std::int64_t{2} * fold.rounds(), elements}, problem.count);
}

}  // namespace assay::collectives
