// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The spread between the ranks of a run, as its collectives recorded it.
#pragma once

#include <string>

#include "results/points/run_points.hpp"

namespace assay::answers {

struct RankSpread {
  double relative = 0;  // standard deviation of ranks' mean times, over their mean
  std::string source;   // of which run, points and ranks
};

/// The median over all points of this ratio: the range of a point's rank means, over the range of as many
/// standard normal variables. Throws a usage Error where the run has no collective of two ranks or more.
RankSpread measured_rank_spread(const results::RunPoints& run);

}  // namespace assay::answers
