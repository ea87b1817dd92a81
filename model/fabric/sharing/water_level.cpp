// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/water_level.hpp"

#include <algorithm>
#include <limits>

namespace assay::model::fabric {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

/// The level rises with every port that asks for less than it: their rest is for the others.
void WaterLevel::solve(std::span<const PortDemand> ports, double rate) {
  rate_ = rate;
  steps_.clear();
  ports_ = ports;
  double demand = 0, weight = 0;
  for (const PortDemand& port : ports) {
    demand += port.demand;
    weight += port.weight;
  }
  highest_satisfied_ = -1;
  satisfied_demand_ = demand;
  open_weight_ = 0;
  level_ = demand <= rate ? infinity : rate / weight;
  if (level_ == infinity) return;
  for (double before = infinity; level_ != before;) {
    before = level_;
    double satisfied = 0, open = 0;  // without branches, which could not be foreseen
    for (const PortDemand& port : ports) {
      const bool is_satisfied = port.demand <= before * port.weight;
      satisfied += is_satisfied ? port.demand : 0;
      open += is_satisfied ? 0 : port.weight;
    }
    satisfied_demand_ = satisfied;
    open_weight_ = open;
    if (open > 0) level_ = std::max(before, (rate - satisfied) / open);
  }
}

/// The highest demand over weight of all ports that get what they ask for.
double WaterLevel::highest_satisfied() {
  if (highest_satisfied_ >= 0) return highest_satisfied_;
  highest_satisfied_ = 0;
  for (const PortDemand& port : ports_)
    if (port.demand <= level_ * port.weight)
      highest_satisfied_ = std::max(highest_satisfied_, port.demand / port.weight);
  return highest_satisfied_;
}

void WaterLevel::sort() {
  for (const PortDemand& port : ports_)
    steps_.push_back({port.demand / port.weight, port.demand, port.weight});
  std::ranges::sort(steps_, {}, &Step::level);
  double demand = 0;
  for (Step& step : steps_) {
    const double own = step.demand;
    step.demand = demand;
    demand += own;
  }
  steps_.push_back({infinity, demand, 0});
  for (std::size_t at = steps_.size() - 1; at-- > 0;) steps_[at].weight += steps_[at + 1].weight;
}

double WaterLevel::most_for(const PortDemand& port) {
  const double own_level = port.demand / port.weight;
  if (own_level >= level_) return level_ * port.weight;
  // Above its own level the port counts among those that want more.
  const double lowered = (rate_ - (satisfied_demand_ - port.demand)) / (open_weight_ + port.weight);
  if (highest_satisfied() <= lowered) return lowered * port.weight;
  if (steps_.empty()) sort();
  const auto step = std::ranges::partition_point(steps_, [&](const Step& one) {
    const double others = one.demand - port.demand;
    return one.level <= own_level ||
           (one.level < infinity && others + (one.weight + port.weight) * one.level < rate_);
  });
  return (rate_ - (step->demand - port.demand)) / (step->weight + port.weight) * port.weight;
}

}  // namespace assay::model::fabric
