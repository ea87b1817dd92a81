// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A queue's rate shared among ports by weight, none given more than it asks for: the level at which
// sum min(demand, level * weight) is the rate.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace assay::model::fabric {

struct PortDemand {
  double demand = 0, weight = 1;  // a rate, at least 0, and a number above 0
};

class WaterLevel {
 public:
  /// `rate` in the unit of the demands, at least 0. `ports` must stay as they are while answers are asked
  /// for. Time: a few passes over them.
  void solve(std::span<const PortDemand> ports, double rate);

  /// Infinity where all demands together fit.
  double level() const { return level_; }
  /// The port's share: min(demand, level * weight).
  double share_of(const PortDemand& port) const { return std::min(port.demand, level_ * port.weight); }
  /// At most what most_for says, at little cost: what the others leave if they get all that they demand.
  double at_least_for(const PortDemand& port) const {
    return level_ < std::numeric_limits<double>::infinity() ? share_of(port)
                                                            : rate_ - (satisfied_demand_ - port.demand);
  }
  /// The rate that one of the ports would get if it demanded infinity and the others what they do: at least
  /// its share. Sorts the ports, once, where that would cut others that get all they ask for.
  double most_for(const PortDemand& port);

 private:
  struct Step {
    double level;           // demand over weight of a port
    double demand, weight;  // sums: of the ports below it, of it and the ports above
  };
  void sort();
  double highest_satisfied();

  double rate_ = 0, level_ = 0;
  double satisfied_demand_ = 0, open_weight_ = 0;  // of ports that get all they ask for; of the others
  double highest_satisfied_ = 0;                   // demand over weight; below 0: not looked for yet
  std::span<const PortDemand> ports_;
  std::vector<Step> steps_;  // by rising level; the last has infinity and all demands; empty: not sorted yet
};

}  // namespace assay::model::fabric
