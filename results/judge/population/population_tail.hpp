// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether the slow hosts of a cluster are slower than those of another: a median does not see a third of
// them, and a job runs at the pace of the slowest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/population/population_values.hpp"

namespace assay::results {

struct JudgedTail {
  std::string level = {};
  std::int64_t values_of_b = 0;
  core::QuantileShift shift = {};
  std::optional<core::ShareBeyond> beyond = {};  // none of a sum of several levels
  std::vector<std::string> slow = {};            // of b, the slowest first: some of those beyond
  double probability = 1;                        // of a tail as far beyond the margin

  /// Whether it is shown that no more of b than of a is slow by more than the margin.
  bool is_within(double margin) const;
};

JudgedTail judge_tail(const PopulationTail& tail, double margin);

/// "90 % quantile of hosts: 1.012 times (0.981 to 1.021); slower than that of the baseline by more than 3 %:
/// 2 of 40 (0 to 14.5 %): h3, h7"
std::string tail_text(const JudgedTail& tail, double margin);

}  // namespace assay::results
