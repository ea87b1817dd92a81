// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many spares let a job restart at once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace assay::model::reliability {

/// The least number of spare units with which at most so many are in repair with the given probability, in
/// (0, 1). Units (nodes, racks, rails: what one failure takes away) fail independently at `per_unit_day` and
/// are back after `repair_days` (of any distribution with that mean: Palm's theorem; Feeney and Sherbrooke
/// 1966, "The (s-1, s) inventory policy under compound Poisson demand").
std::int64_t spares_for(double per_unit_day, double units, double repair_days, double probability);

/// The probability that a job finds a spare at once, with so many.
double probability_with_spares(double per_unit_day, double units, double repair_days, std::int64_t spares);

/// A kind of failure that takes `nodes` nodes of the job away at once; `per_day` in the whole job.
struct NodeLoss {
  double per_day = 0;
  double repair_days = 0;
  std::int64_t nodes = 1;
};

/// The number of nodes in repair: the number of each loss is Poisson's, so that of nodes is a compound one
/// (by Panjer's recursion, 1981, "Recursive evaluation of a family of compound distributions"). For millions
/// of nodes, its normal approximation.
class NodesInRepair {
 public:
  explicit NodesInRepair(const std::vector<NodeLoss>& losses);

  /// The probability of no more.
  double at_most(std::int64_t nodes);
  /// The least number with which that is at least `probability`, in (0, 1).
  std::int64_t least(double probability);

 private:
  double nearly_normal(double nodes) const;
  void table_until(std::int64_t nodes);

  std::map<std::int64_t, double> by_nodes_;  // losses in repair, by the nodes that each takes
  double units_ = 0, mean_ = 0, variance_ = 0, skewness_ = 0, excess_ = 0;
  double last_ = 0;  // beyond which no probability is left
  std::vector<double> weights_, at_most_;
  double sum_ = 1, log_scale_ = 0;
};

}  // namespace assay::model::reliability
