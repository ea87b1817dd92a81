// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One law over ranks of a given form, fitted to rows: its coefficients by regime of size, and where the
// regimes meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fit/laws/rank_law.hpp"

namespace assay::model::fit {

/// The form of a law, which is chosen by ranks left out.
struct RankForm {
  const RankShape* shape = nullptr;
  bool per_call = false;    // with gamma
  std::size_t regimes = 1;  // at most
};

/// Coefficients of one regime: us of alpha above `least_step_us`, GB/s, and gamma us where the form has it.
struct FittedRegime {
  std::vector<CollectiveRow> rows;  // by size
  double least_step_us = 0;
  std::vector<double> coefficients;
  double loss = 0;  // sum of |log(predicted / measured)|
};

/// Regimes are split where that leaves the least loss; none has fewer than fewest_sizes_of_segment sizes. A
/// step of a regime takes no less than one of the regime below: large messages do not determine alpha, and
/// without a floor a law beyond the measured ranks would have them arrive before small ones.
std::vector<FittedRegime> fit_regimes(std::vector<CollectiveRow> rows, const RankForm& form);

/// The law of these regimes, without intervals.
RankLaw law_of(const std::vector<FittedRegime>& regimes, const RankForm& form);
void add_rank_intervals(RankLaw& law, const std::vector<FittedRegime>& regimes, const RankForm& form,
                        std::uint64_t seed);

}  // namespace assay::model::fit
