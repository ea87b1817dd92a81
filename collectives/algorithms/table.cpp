// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "collectives/algorithms/all_to_all.hpp"
#include "collectives/algorithms/double_tree.hpp"
#include "collectives/algorithms/fold.hpp"
#include "collectives/algorithms/schedules.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

std::string always(const Problem&) { return {}; }

std::int64_t once(const Problem& problem) { return problem.ranks > 1 ? 1 : 0; }
std::int64_t around(const Problem& problem) { return problem.ranks - 1; }
std::int64_t twice_around(const Problem& problem) { return std::int64_t{2} * (problem.ranks - 1); }
std::int64_t rounds(const Problem& problem) { return log2_ceiling(problem.ranks); }
std::int64_t twice_rounds(const Problem& problem) { return std::int64_t{2} * log2_ceiling(problem.ranks); }
std::int64_t folded(const Problem& problem) {
  return log2_floor(problem.ranks) + Fold::extra_steps(problem.ranks);
}
std::int64_t twice_folded(const Problem& problem) {
  return 2 * log2_floor(problem.ranks) + Fold::extra_steps(problem.ranks);
}
std::int64_t double_tree_down(const Problem& problem) {
  return problem.ranks == 1 ? 0 : log2_floor(problem.ranks - 1) + chunks_of(problem.count);
}
std::int64_t double_tree_up_down(const Problem& problem) {
  return problem.ranks == 1 ? 0 : 2 * log2_floor(problem.ranks) + chunks_of(problem.count) - 1;
}

using enum Operation;
constexpr std::string_view share = "S(n-1)/n";
constexpr std::string_view fold_steps = "log2 p + [2 if n > p]", twice_fold_steps = "2 log2 p + [2 if n > p]";

constexpr std::array table{
    Algorithm{"ring", all_reduce, "2(n-1)", "2S(n-1)/n", always, ring_all_reduce, twice_around,
              ring_all_reduce_sent},
    Algorithm{"recursive_doubling", all_reduce, fold_steps, "S log2 p + [S if n > p]", always,
              doubling_all_reduce, folded, doubling_all_reduce_sent},
    Algorithm{"halving_doubling", all_reduce, twice_fold_steps, "2S(p-1)/p + [S if n > p]", always,
              halving_doubling_all_reduce, twice_folded, halving_doubling_all_reduce_sent},
    Algorithm{"binomial_tree", all_reduce, "2L", "S L", always, binomial_all_reduce, twice_rounds,
              binomial_all_reduce_sent},
    Algorithm{"double_tree", all_reduce, "2 floor(log2 n) + c - 1", "2S", always, double_tree_all_reduce,
              double_tree_up_down, double_tree_all_reduce_sent},
    Algorithm{"hierarchical", all_reduce, "2 ceil(log2 m) + 2 log2 q + [2 if k > q]",
              "2S(q-1)/q + [S if k > q] + S ceil(log2 m)", always, leader_all_reduce, leader_all_reduce_steps,
              leader_all_reduce_sent, true},
    Algorithm{"rails", all_reduce, "2(m-1) + 2 log2 q + [2 if k > q]",
              "2S(m-1)/m + (S/m)(2(q-1)/q + [1 if k > q])", why_no_rails, rail_all_reduce,
              rail_all_reduce_steps, rail_all_reduce_sent, true},
    Algorithm{"ring", all_gather, "n-1", share, always, ring_all_gather, around, ring_all_gather_sent},
    Algorithm{"recursive_doubling", all_gather, fold_steps, "S(n-1)/n, n = p; else up to 2S", always,
              doubling_all_gather, folded, doubling_all_gather_sent},
    Algorithm{"bruck", all_gather, "L", share, always, bruck_all_gather, rounds, bruck_all_gather_sent},
    Algorithm{"ring", reduce_scatter, "n-1", share, always, ring_reduce_scatter, around,
              ring_reduce_scatter_sent},
    Algorithm{"recursive_halving", reduce_scatter, fold_steps, "S(n-1)/n, n = p; else S", always,
              halving_reduce_scatter, folded, halving_reduce_scatter_sent},
    Algorithm{"binomial_tree", broadcast, "L", "S L", always, binomial_broadcast, rounds,
              binomial_broadcast_sent},
    Algorithm{"double_tree", broadcast, "floor(log2(n-1)) + c", "S (root), S (inner)", always,
              double_tree_broadcast, double_tree_down, double_tree_broadcast_sent},
    Algorithm{"hierarchical", broadcast, "ceil(log2 k) + ceil(log2 m)", "S (ceil(log2 k) + ceil(log2 m))",
              always, leader_broadcast, leader_tree_steps, leader_broadcast_sent, true},
    Algorithm{"binomial_tree", reduce, "L", "S", always, binomial_reduce, rounds, binomial_reduce_sent},
    Algorithm{"hierarchical", reduce, "ceil(log2 k) + ceil(log2 m)", "S", always, leader_reduce,
              leader_tree_steps, leader_reduce_sent, true},
    Algorithm{"binomial_tree", gather, "L", "S/2, n = p", always, binomial_gather, rounds,
              binomial_gather_sent},
    Algorithm{"binomial_tree", scatter, "L", share, always, binomial_scatter, rounds, binomial_scatter_sent},
    Algorithm{"direct", all_to_all, "1", share, always, direct_all_to_all, once, all_to_all_sent},
    Algorithm{"pairwise", all_to_all, "n-1", share, always, pairwise_all_to_all, around, all_to_all_sent},
    Algorithm{"bruck", all_to_all, "L", "(S/2) log2 n, n = p", always, bruck_all_to_all, rounds,
              bruck_all_to_all_sent},
    Algorithm{"direct", all_to_all_v, "1", "row without own", always, direct_all_to_all, once,
              all_to_all_sent},
    Algorithm{"pairwise", all_to_all_v, "n-1", "row without own", always, pairwise_all_to_all, around,
              all_to_all_sent},
    Algorithm{"bruck", all_to_all_v, "L", "blocks passing by", always, bruck_all_to_all, rounds,
              bruck_all_to_all_sent},
    Algorithm{"shift", send_receive, "1", "S", always, ring_shift, once, ring_shift_sent},
    Algorithm{"dissemination", barrier, "L", "0", always, dissemination_barrier, rounds,
              dissemination_barrier_sent},
};

constexpr std::int64_t elements = 3 << 20;  // 8, 12 and 16 divide it; a double tree then has 16 chunks

Problem example(Operation operation, int ranks) {
  Problem problem{.operation = operation, .ranks = ranks, .count = elements};
  for (int rank = 0; rank < ranks; ++rank) problem.node_of.push_back(rank / 4);
  if (operation == Operation::all_to_all_v)
    problem.counts = std::make_shared<const CountsMatrix>(
        std::vector(static_cast<std::size_t>(ranks),
                    std::vector<std::int64_t>(static_cast<std::size_t>(ranks), elements / ranks)));
  return problem;
}

/// "14 / 1.750 S"
std::string figures(const Algorithm& row, int ranks) {
  const Problem problem = example(row.operation, ranks);
  std::int64_t busiest = 0;
  for (int rank = 0; rank < ranks; ++rank) busiest = std::max(busiest, row.sent(problem, rank).elements);
  const double part = static_cast<double>(busiest) / static_cast<double>(elements);
  return fmt::format("{} / {:.3f} S", row.steps(problem), part);
}

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

const Algorithm& algorithm(Operation operation, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Algorithm& row : table) {
    if (row.operation != operation) continue;
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  core::usage_error(
      fmt::format("no algorithm '{}' for {}: expected {}", name, to_text(operation), fmt::join(known, ", ")));
}

Schedule schedule_of(const Algorithm& algorithm, const Problem& problem, int rank) {
  if (problem.operation != algorithm.operation)
    core::usage_error(fmt::format("{} of {} asked to solve {}", algorithm.name, to_text(algorithm.operation),
                                  to_text(problem.operation)));
  check(problem);
  if (const std::string reason = algorithm.illegal(problem); !reason.empty())
    core::usage_error(fmt::format("{} {}: {}", to_text(problem.operation), algorithm.name, reason));
  return algorithm.schedule(problem, rank);
}

bool steps_are_exact(const Algorithm& algorithm, const Problem& problem) {
  return !algorithm.over_nodes || why_no_rails(problem).empty();
}

std::string steps_and_bytes_table() {
  std::string text =
      "| operation | algorithm | steps | sent by the busiest rank | n = 8 | n = 12 "
      "|\n|---|---|---|---|---|---|\n";
  for (const Algorithm& row : algorithms())
    fmt::format_to(std::back_inserter(text), "| {} | {} | {} | {} | {} | {} |\n", to_text(row.operation),
                   row.name, row.steps_formula, row.bytes_formula, figures(row, 8), figures(row, 12));
  return text;
}

AlgorithmFigures::AlgorithmFigures(const Algorithm& algorithm, const Problem& problem,
                                   const Schedule& schedule, int rank, std::int64_t element_bytes)
    : steps_(algorithm.steps(problem)),
      exact_(steps_are_exact(algorithm, problem)),
      messages_(algorithm.sent(problem, rank).messages),
      bytes_(algorithm.sent(problem, rank).elements * element_bytes),
      unlike_busbw_(algorithm.over_nodes || algorithm.name.ends_with("tree")) {
  const auto node = [&](int of) {
    return problem.node_of.empty() ? 0 : problem.node_of[static_cast<std::size_t>(of)];
  };
  for (const Step& step : schedule.steps)
    for (const Send& send : step.sends)
      (node(send.to) == node(rank) ? inside_ : across_) += send.from.count * element_bytes;
}

std::vector<core::Fact> AlgorithmFigures::facts() const {
  std::vector<core::Fact> facts{
      {exact_ ? "steps" : "steps_at_most", steps_}, {"messages_sent", messages_}, {"bytes_sent", bytes_}};
  if (unlike_busbw_)
    facts.emplace_back("busbw_is_wire_rate", "no: ranks send other amounts than busbw assumes");
  return facts;
}

}  // namespace assay::collectives
