// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The order in which the blocks of a file are taken: each of them once in a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/core/mix.hpp"

namespace assay::offload {

class AccessOrder {
 public:
  /// `blocks` at least 1. Another `seed` gives another random order, as every pass has its own.
  AccessOrder(std::size_t blocks, bool random, std::uint64_t seed) : blocks_(blocks), state_(seed) {
    if (!random) return;
    shuffled_.resize(blocks);
    std::iota(shuffled_.begin(), shuffled_.end(), std::uint32_t{0});
  }

  /// Blocks of this pass that are still to come; a pass that is over is followed by another.
  std::size_t left_in_pass() const { return blocks_ - at_; }

  /// The next block; at the end of a pass the first of another. Random: one step of Fisher and Yates'
  /// shuffle.
  std::size_t next() {
    const std::size_t at = at_;
    at_ = at + 1 == blocks_ ? 0 : at + 1;
    if (shuffled_.empty()) return at;
    std::swap(shuffled_[at], shuffled_[at + core::mix64(state_++) % (blocks_ - at)]);
    return shuffled_[at];
  }

 private:
  std::size_t blocks_, at_ = 0;
  std::vector<std::uint32_t> shuffled_ = {};  // empty: in order
  std::uint64_t state_;
};

}  // namespace assay::offload
