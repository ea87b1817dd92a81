// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Contests of one kind over size: who wins where.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "results/points/kinds/collective_points.hpp"

namespace assay::results {

/// Sizes that follow one another at which the same contender wins.
struct Reign {
  std::string contender;
  std::int64_t first = 0, last = 0;  // bytes
};

/// One operation on one number of ranks, with the same other axes.
struct Crossover {
  std::string operation;
  std::int64_t ranks = 0;
  Fields axes;                               // but for algorithm and size
  std::map<std::int64_t, Contest> contests;  // by size

  /// "all_reduce on 4 ranks"
  std::string name() const;
  /// In ascending order of size.
  std::vector<Reign> reigns() const;
};

/// In order of first appearance. Contests without a size take no part.
std::vector<Crossover> crossovers_of(const std::vector<Contest>& contests);

/// "all_reduce on 4 ranks: recursive_doubling to 1 KiB, ring from 64 KiB"
std::string to_text(const Crossover& crossover);

}  // namespace assay::results
