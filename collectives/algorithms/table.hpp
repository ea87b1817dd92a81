// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one table of algorithms: which there are, for which operation, where they are legal, and what each
// costs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithms/schedule.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

struct Algorithm {
  std::string_view name;
  Operation operation;
  // For people: n ranks, S bytes (Problem::count), L = ceil(log2 n), p = the largest power of two within n.
  std::string_view steps_formula;
  std::string_view bytes_formula;  // sent by the busiest rank where n divides S
  /// Why it cannot solve a problem; empty where it can.
  std::string (*illegal)(const Problem&);
  Schedule (*schedule)(const Problem&, int rank);
  /// The longest chain of steps that wait for one another.
  std::int64_t (*steps)(const Problem&);
  Sent (*sent)(const Problem&, int rank);
  bool over_nodes = false;  // uses the node map
};

std::span<const Algorithm> algorithms();

/// Throws a usage Error naming the operation's algorithms where there is none of that name.
const Algorithm& algorithm(Operation operation, std::string_view name);

/// The schedule of a rank. Throws a usage Error where the problem is none, or illegal for the algorithm.
Schedule schedule_of(const Algorithm& algorithm, const Problem& problem, int rank);

/// Whether `steps` is exact for this problem, or an upper bound (nodes of different size).
bool steps_are_exact(const Algorithm& algorithm, const Problem& problem);

/// Markdown: formulas of the steps and of the busiest rank's bytes (as
/// docs/evidence/data/collective-algorithms.txt), and both figures for 8 and 12 ranks, nodes of 4.
std::string steps_and_bytes_table();

/// An algorithm's figures of one rank's part, for records.
class AlgorithmFigures {
 public:
  AlgorithmFigures(const Algorithm& algorithm, const Problem& problem, const Schedule& schedule, int rank,
                   std::int64_t element_bytes);

  /// Steps, messages and bytes that this rank sends; and whether busbw is not a wire rate.
  std::vector<core::Fact> facts() const;
  /// Bytes that this rank sends to ranks of its own node, and to others.
  std::int64_t bytes_inside() const { return inside_; }
  std::int64_t bytes_across() const { return across_; }

 private:
  std::int64_t steps_;
  bool exact_;
  std::int64_t messages_, bytes_;
  bool unlike_busbw_;  // a tree, or in tiers
  std::int64_t inside_ = 0, across_ = 0;
};

}  // namespace assay::collectives
