// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rounds of a point's flows, of which those of one ran at once: records list them round after round.
#pragma once

#include <set>

#include "results/record/record.hpp"

namespace assay::results {

/// Numbers the rounds of one point by its flows in order: in a round, no rank sends or receives twice.
class RoundCount {
 public:
  int of(const FlowReport& flow) {
    const bool again = !senders_.insert(flow.from).second || !receivers_.insert(flow.to).second;
    if (again) {
      senders_ = {flow.from}, receivers_ = {flow.to};
      ++round_;
    }
    return round_;
  }
  int rounds() const { return round_ + 1; }

 private:
  std::set<int> senders_, receivers_;
  int round_ = 0;
};

}  // namespace assay::results
