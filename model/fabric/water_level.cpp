// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/water_level.hpp"

#include <algorithm>
#include <limits>

namespace assay::model::fabric {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void WaterLevel::solve(std::span<const PortDemand> ports, double rate) {
  rate_ = rate;
  steps_.clear();
  for (const PortDemand& port : ports)
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
  const auto step = std::ranges::partition_point(
      steps_, [rate](const Step& one) { return one.demand + one.weight * one.level <= rate; });
  const bool fits = demand <= rate || step == steps_.end() || step->weight == 0;
  level_ = fits ? infinity : (rate - step->demand) / step->weight;
}

double WaterLevel::share_of(const PortDemand& port) const {
  return std::min(port.demand, level_ * port.weight);
}

double WaterLevel::most_for(const PortDemand& port) const {
  const double own_level = port.demand / port.weight;
  if (own_level >= level_) return level_ * port.weight;
  // Above its own level the port counts among those that want more.
  const auto step = std::ranges::partition_point(steps_, [&](const Step& one) {
    const double others = one.demand - port.demand;
    return one.level <= own_level ||
           (one.level < infinity && others + (one.weight + port.weight) * one.level < rate_);
  });
  return (rate_ - (step->demand - port.demand)) / (step->weight + port.weight) * port.weight;
}

}  // namespace assay::model::fabric
