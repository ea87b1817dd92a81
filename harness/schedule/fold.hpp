// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Algorithms that double or halve need a power of two. With n = p + extra ranks (p the largest power of two
// within n) the first 2 * extra ranks form pairs: the even one gives its data to the odd one, which acts for
// both and hands the result back (Rabenseifner 2004, Thakur et al. 2005). What remains are p groups.
#pragma once

#include "harness/schedule/blocks.hpp"

namespace assay::schedule {

class Fold {
 public:
  Fold(int ranks, int rank) : rounds_(log2_floor(ranks)), extra_(ranks - (1 << rounds_)), rank_(rank) {}

  int groups() const { return 1 << rounds_; }
  int rounds() const { return rounds_; }
  /// Two more steps where some ranks fold.
  static int extra_steps(int ranks) { return (1 << log2_floor(ranks)) == ranks ? 0 : 2; }

  bool gives_away() const { return rank_ < 2 * extra_ && rank_ % 2 == 0; }
  bool acts_for_two() const { return rank_ < 2 * extra_ && rank_ % 2 == 1; }
  int partner() const { return rank_ ^ 1; }  // of the pair

  int group() const { return rank_ < 2 * extra_ ? rank_ / 2 : rank_ - extra_; }
  int first_rank(int group) const { return group < extra_ ? 2 * group : group + extra_; }
  int acting_rank(int group) const { return group < extra_ ? 2 * group + 1 : group + extra_; }

 private:
  int rounds_;
  int extra_;
  int rank_;
};

}  // namespace assay::schedule
