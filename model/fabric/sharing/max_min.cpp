// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace assay::model::fabric {

namespace {

constexpr double rounding = 1e-12;  // relative: levels that differ by less are equal

}  // namespace

MaxMin::MaxMin(const Paths& paths, std::vector<double> capacity, std::vector<double> weight,
               std::vector<double> limit)
    : paths_(&paths),
      capacity_(std::move(capacity)),
      weight_(std::move(weight)),
      limit_(std::move(limit)),
      links_(capacity_.size()),
      frozen_(paths.size()) {}

void MaxMin::gather(std::span<const FlowId> flows) {
  touched_.clear();
  limited_.clear();
  for (const FlowId flow : flows) {
    frozen_[flow] = 0;
    if (!limit_.empty() && std::isfinite(limit_[flow])) limited_.push_back(flow);
    for (const LinkId link : (*paths_)[flow]) {
      LinkState& state = links_[link];
      if (!std::exchange(state.touched, true)) {
        state = {.residual = capacity_[link], .touched = true};
        touched_.push_back(link);
      }
      state.weight += weight_of(flow);
      ++state.count;
      ++state.open;
    }
  }
  std::size_t entries = 0;
  for (const LinkId link : touched_) {
    links_[link].first = entries;
    entries += std::exchange(links_[link].count, 0);
  }
  flows_of_links_.resize(entries);
  for (const FlowId flow : flows)
    for (const LinkId link : (*paths_)[flow])
      flows_of_links_[links_[link].first + links_[link].count++] = flow;
  std::ranges::sort(limited_, std::greater(), [this](FlowId flow) { return limit_[flow] / weight_of(flow); });
}

void MaxMin::freeze(FlowId flow, double rate, std::span<double> rates) {
  if (std::exchange(frozen_[flow], 1) != 0) return;
  rates[flow] = rate;
  for (const LinkId link : (*paths_)[flow]) {
    links_[link].residual = std::max(0.0, links_[link].residual - rate);
    links_[link].weight -= weight_of(flow);
    --links_[link].open;
  }
}

void MaxMin::freeze_limited_below(double level, std::span<double> rates) {
  while (!limited_.empty() && limit_[limited_.back()] <= level * weight_of(limited_.back())) {
    freeze(limited_.back(), limit_[limited_.back()], rates);
    limited_.pop_back();
  }
}

void MaxMin::fill(std::span<double> rates) {
  using Level = std::pair<double, LinkId>;
  std::vector<Level> levels;
  for (const LinkId link : touched_) levels.emplace_back(level_of(link), link);
  std::priority_queue<Level, std::vector<Level>, std::greater<>> queue(std::greater<>(), std::move(levels));
  while (!queue.empty()) {
    const auto [level, link] = queue.top();
    freeze_limited_below(level, rates);
    queue.pop();
    if (links_[link].open == 0) continue;
    const double now = level_of(link);
    if (now > level * (1 + rounding)) {
      queue.emplace(now, link);
      continue;
    }
    for (const FlowId flow : std::span(flows_of_links_).subspan(links_[link].first, links_[link].count))
      freeze(flow, level * weight_of(flow), rates);
  }
  freeze_limited_below(std::numeric_limits<double>::infinity(), rates);
}

void MaxMin::share(std::span<const FlowId> flows, std::span<double> rates) {
  gather(flows);
  fill(rates);
  for (const LinkId link : touched_) links_[link].touched = false;
}

}  // namespace assay::model::fabric
