// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fastest configurations so far.
#pragma once

#include <cstddef>
#include <vector>

#include "model/predict/system/execution.hpp"

namespace assay::model {

struct Candidate {
  double sample_rate = 0;  // sequences a second
  Execution execution;
};

/// Faster first; equal ones in an order that does not depend on threads.
bool better(const Candidate& left, const Candidate& right);

class BestCandidates {
 public:
  explicit BestCandidates(std::size_t top) : top_(top) {}

  void add(double sample_rate, const Execution& execution);
  /// The lowest rate among the best, below which nothing is one of them: -infinity while there are fewer than
  /// asked.
  double least_rate() const;
  /// The best candidates, best first, at most as many as asked.
  const std::vector<Candidate>& sorted() const { return best_; }

 private:
  std::size_t top_;
  std::vector<Candidate> best_;
};

}  // namespace assay::model
