// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Configurations of which none is at least as good as another in all of: sequences a second, memory of the
// first tier, and the offload bandwidth that would hide the transfers.
#pragma once

#include <vector>

#include "model/predict/system/execution.hpp"

namespace assay::model {

struct Trade {
  double sample_rate = 0;      // sequences a second
  double tier1_bytes = 0;      // a processor
  double offload_b_per_s = 0;  // 0 without offload, infinite where no bandwidth would hide it
  Execution execution;
};

/// At least as good in each of the three.
bool as_good(const Trade& left, const Trade& right);

class ParetoFront {
 public:
  /// Keeps it unless one that is kept is as good; drops those that it is as good as. Of two that are equal in
  /// all three the one that goes before the other by their executions stays, whatever the order they come in.
  void add(const Trade& trade);
  /// The fastest first.
  std::vector<Trade> sorted() const;

 private:
  std::vector<Trade> kept_;
};

}  // namespace assay::model
