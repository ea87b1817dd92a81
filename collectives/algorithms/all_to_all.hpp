// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All-to-all without intermediaries: every block travels once, all at once (direct) or one partner a step
// (pairwise exchange).
#pragma once

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

Schedule direct_all_to_all(const Problem& problem, int rank);
Schedule pairwise_all_to_all(const Problem& problem, int rank);

/// Messages and elements that a rank sends, under either algorithm.
Sent all_to_all_sent(const Problem& problem, int rank);

/// The offsets of blocks in a rank's buffers: those for each rank in the input, those from each in the
/// output. In place the input is put aside in scratch first, since blocks of other sizes arrive over it.
class AllToAllBlocks {
 public:
  AllToAllBlocks(const Problem& problem, int rank);

  Range to(int peer) const;    // in the input, or aside
  Range from(int peer) const;  // in the output
  /// Puts the input aside where needed, and the rank's own block in its place.
  Schedule begin() const;
  std::int64_t aside() const { return aside_; }  // elements of scratch used

 private:
  int rank_;
  std::vector<std::int64_t> input_edges_{0}, output_edges_{0};
  std::int64_t aside_;
};

}  // namespace assay::collectives
