// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that begin their collectives later than the others, step after step: robust outliers, named only
// where chance among equal ranks does not explain how often.
#pragma once

#include <vector>

#include "collectives/measure/arrivals.hpp"

namespace assay::collectives {

struct Straggler {
  int rank = 0;        // place in `by_rank`
  int blocks = 0;      // of the iterations, in which it was the outlier
  double late_us = 0;  // behind the median rank, median over all blocks
};

struct Stragglers {
  int blocks = 0;  // 0: fewer than four ranks or eight iterations, which show none
  std::vector<Straggler> ranks = {};
};

/// The iterations that all ranks kept are cut into up to 32 blocks; a block's outlier is its latest rank, if
/// its median lateness is more than 3.5 robust standard deviations of the ranks' (Iglewicz and Hoaglin 1993).
/// Equal ranks are that with at most probability 1 / n each, whatever the distribution: a rank is named where
/// so many blocks have, over all ranks, at most probability 1 %.
Stragglers stragglers_of(const std::vector<RankFigures>& by_rank);

/// The number of blocks examined, and which of the named ranks is the latest and how late. `ranks`: what each
/// is called.
std::vector<core::Fact> facts_of(const Stragglers& stragglers, const std::vector<int>& ranks);

/// Only the rank at that place, where it is one of them.
Stragglers only(const Stragglers& stragglers, int place);

/// For the other ranks. Throws core::Error (team) for text of another form.
std::string to_text(const Stragglers& stragglers);
Stragglers stragglers_from(const std::string& text);

}  // namespace assay::collectives
