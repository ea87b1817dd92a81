// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The options tried around every block choice, listed once for a whole search.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/search/space.hpp"

namespace assay::model {

struct AroundSet {
  std::vector<Around> all;
  std::vector<Around> stored;        // those without overlap: it moves no byte of memory
  std::int64_t for_each_stored = 1;  // of `all`
};

class AroundSets {
 public:
  explicit AroundSets(const Question& question);
  /// With copies of the weights or one; where all is recomputed there are no activations to offload.
  const AroundSet& of(std::int64_t copies, Recompute recompute) const {
    return sets_[copies > 1 ? 1 : 0][recompute == Recompute::full ? 1 : 0];
  }

 private:
  std::array<std::array<AroundSet, 2>, 2> sets_;
};

/// Sets the execution's.
void put(const Around& around, Execution& execution);

}  // namespace assay::model
