// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How unlike the ranks of a run were, as its collectives recorded it.
#pragma once

#include <string>

#include "results/points/run_points.hpp"

namespace assay::answers {

struct RankSpread {
  double relative = 0;  // standard deviation of ranks' mean times, over their mean
  std::string source;   // of which run, points and ranks
};

/// Of each point: the range of its ranks' means over that of as many standard normal variables; of all points
/// the median. Throws a usage Error where the run has no collective of two ranks or more.
RankSpread measured_rank_spread(const results::RunPoints& run);

}  // namespace assay::answers
