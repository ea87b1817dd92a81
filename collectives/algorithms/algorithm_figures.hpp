// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What an algorithm of our own says of one rank's part, for records.
#pragma once

#include <vector>

#include "collectives/algorithms/table.hpp"
#include "harness/core/benchmark.hpp"

namespace assay::collectives {

class AlgorithmFigures {
 public:
  AlgorithmFigures(const Algorithm& algorithm, const Problem& problem, const Schedule& schedule, int rank,
                   std::int64_t element_bytes);

  /// Steps, messages and bytes that this rank sends; and whether busbw is no wire rate.
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
