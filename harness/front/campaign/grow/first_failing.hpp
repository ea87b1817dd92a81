// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bisection where a failure is certain and a pass may have missed: the least number of nodes, in a given
// order, that fail together. Weights of all numbers, as in Horstein (1963) and Karp and Kleinberg (2007).
#pragma once

#include <utility>
#include <vector>

namespace assay::campaign {

class FirstFailing {
 public:
  /// The number is above `low` and at most `high`, which has failed. `lowest_likely`: as likely low + 1 as
  /// all others together.
  FirstFailing(int low, int high, bool lowest_likely = false)
      : low_(low), high_(high), lowest_likely_(lowest_likely) {}

  void take(int number, bool passed);

  /// Number to test next, or high() where that is the answer. `missed`: the largest probability that a test
  /// passes all the same; 0 bisects.
  int next(double missed) const;
  int high() const { return high_; }

 private:
  std::vector<double> weights(double missed) const;  // of low + 1 to high

  int low_, high_;
  bool lowest_likely_;
  std::vector<int> passed_;
};

}  // namespace assay::campaign
