// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many spares let a job restart at once.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::model::reliability {

/// The least number of spare units with which at most so many are in repair with the given probability, in
/// (0, 1). Units (nodes, racks, rails: what one failure takes away) fail independently at `per_unit_day` and
/// are back after `repair_days` (of any distribution with that mean: Palm's theorem; Feeney and Sherbrooke
/// 1966, "The (s-1, s) inventory policy under compound Poisson demand").
std::int64_t spares_for(double per_unit_day, double units, double repair_days, double probability);

/// The probability that a job finds a spare at once, with so many.
double probability_with_spares(double per_unit_day, double units, double repair_days, std::int64_t spares);

/// What takes so many nodes away at once, in the whole job.
struct NodeLoss {
  double per_day = 0;
  double repair_days = 0;
  std::int64_t nodes = 1;
};

/// The probability that at most `spares` nodes are in repair: the number of each loss in repair is Poisson's,
/// so that of nodes is a compound one (by Panjer's recursion, 1981, "Recursive evaluation of a family of
/// compound distributions").
double probability_with_spares(const std::vector<NodeLoss>& losses, std::int64_t spares);
/// The least number with which that is at least `probability`, in (0, 1).
std::int64_t spares_for(const std::vector<NodeLoss>& losses, double probability);

}  // namespace assay::model::reliability
