// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a vector is cut, and small arithmetic of ranks.
#pragma once

#include <algorithm>
#include <cstdint>

namespace assay::schedule {

/// `count` elements cut into `parts` blocks: the first count % parts of them have one more.
struct Blocks {
  std::int64_t count = 0;
  int parts = 1;

  std::int64_t first(int part) const {
    return part * (count / parts) + std::min<std::int64_t>(part, count % parts);
  }
  std::int64_t size(int part) const { return count / parts + (part < count % parts ? 1 : 0); }
};

/// ceil(log2 n), n >= 1: rounds in which what one rank knows reaches n.
inline int log2_ceiling(int n) {
  int rounds = 0;
  while ((std::int64_t{1} << rounds) < n) ++rounds;
  return rounds;
}
/// floor(log2 n), n >= 1.
inline int log2_floor(int n) {
  int rounds = 0;
  while ((std::int64_t{2} << rounds) <= n) ++rounds;
  return rounds;
}
inline int wrapped(int rank, int ranks) { return ((rank % ranks) + ranks) % ranks; }

}  // namespace assay::schedule
