// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The problem of a collective operation: which operation, for how many ranks, over how many elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/counts_matrix.hpp"
#include "harness/schedule/blocks.hpp"

namespace assay::collectives {

enum class Operation {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  gather,
  scatter,
  all_to_all,
  all_to_all_v,
  send_receive,  // each rank to the next one
  barrier
};

std::string_view to_text(Operation operation);  // "all_reduce"
/// Throws a usage Error naming the operations there are.
Operation operation_from(std::string_view text);
const std::vector<Operation>& operations();

bool reduces(Operation operation);
bool has_root(Operation operation);

using schedule::Blocks;

struct Problem {
  Operation operation = Operation::all_reduce;
  int ranks = 1;
  /// Elements of the larger buffer of a rank: the vector of a reduction or broadcast; all blocks together of
  /// an all-gather, reduce-scatter, gather, scatter or all-to-all (the root's, where there is a root). Unused
  /// by all_to_all_v and barrier.
  std::int64_t count = 0;
  int root = 0;
  bool in_place = false;
  /// all_to_all_v: elements from rank to rank.
  std::shared_ptr<const CountsMatrix> counts = {};
  /// The node each rank is on, for hierarchical algorithms; empty: all on one.
  std::vector<int> node_of = {};

  Blocks blocks() const { return {count, ranks}; }
  /// How many nodes the ranks are on.
  int nodes() const;
  /// Elements that rank `from` has for rank `to` in an all-to-all.
  std::int64_t between(int from, int to) const;
};

/// Throws a usage Error with one line for a problem that no algorithm could solve: a root that is not a rank,
/// a matrix or a node map for another number of ranks.
void check(const Problem& problem);

/// A rank's buffers, in elements. In place they are one buffer of `together` elements, in which the input
/// begins at `input_at` and the output at `output_at`.
struct Shape {
  std::int64_t input = 0, output = 0;
  std::int64_t input_at = 0, output_at = 0, together = 0;
};
Shape shape_of(const Problem& problem, int rank);

}  // namespace assay::collectives
