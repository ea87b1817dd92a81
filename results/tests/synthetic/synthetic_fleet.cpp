// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/synthetic_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::results {
namespace {

struct Group {
  const char* name;
  double silicon;  // how much of a GPU's silicon shows in it
};
constexpr Group groups[] = {{"gemm", 1.0}, {"memory", 0.1}, {"link", 0.0}, {"host", 0.0}};

}  // namespace

SyntheticFleet::SyntheticFleet(const FleetShape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {
  place_units();
  draw_lasting();
  draw_values(fleet_, 0, 0);
}

void SyntheticFleet::place_units() {
  fleet_.levels = {"host", "rail", "switch"};
  for (int metric = 0; metric < shape_.metrics; ++metric) {
    const int turn = shape_.products == 0       ? metric
                     : metric < shape_.products ? 0
                                                : metric - shape_.products + 1;
    const std::string group = groups[static_cast<std::size_t>(turn) % std::size(groups)].name;
    fleet_.metrics.push_back({fmt::format("{}.{}", group, metric), group, metric % 5 != 4});
  }
  for (int node = 0; node < shape_.nodes; ++node)
    for (int gpu = 0; gpu < shape_.gpus_per_node; ++gpu) {
      const int pod = node / shape_.nodes_per_pod;
      fleet_.units.push_back(
          {fmt::format("node{}/gpu{}", node, gpu),
           "H100 SXM",
           {fmt::format("node{}", node), fmt::format("pod{}/rail{}", pod, gpu), fmt::format("pod{}", pod)}});
    }
  for (std::size_t at = 0; at < fleet_.units.size(); ++at) {
    const FleetUnit& unit = fleet_.units[at];
    members_[{fleet_.unit_level, unit.name}].push_back(at);
    for (std::size_t level = 0; level < fleet_.levels.size(); ++level)
      members_[{fleet_.levels[level], unit.places[level]}].push_back(at);
  }
}

double SyntheticFleet::noise() {
  std::normal_distribution<double> normal;
  if (shape_.noise_shape == NoiseShape::normal) return shape_.noise * normal(random_);
  if (shape_.noise_shape == NoiseShape::skewed) {
    const double variance = shape_.skew * shape_.skew;
    const double deviation =
        std::exp(variance / 2) * std::sqrt(std::expm1(variance));  // of a lognormal variable
    return -shape_.noise * std::expm1(shape_.skew * normal(random_)) / deviation;
  }
  std::student_t_distribution<double> tail(shape_.tail_degrees);
  const double scale = std::sqrt((shape_.tail_degrees - 2) / shape_.tail_degrees);
  return shape_.noise * scale * tail(random_);
}

void SyntheticFleet::draw_lasting() {
  const std::size_t units = fleet_.units.size(), per_node = static_cast<std::size_t>(shape_.gpus_per_node);
  std::normal_distribution<double> normal;
  for (std::size_t unit = 0; shape_.unequal > 0 && unit < units; ++unit)
    own_noise_.push_back(std::exp(shape_.unequal * normal(random_)));
  if (shape_.wandering > 0) wandered_.assign(units / per_node, 0);
  std::vector<double> silicon(units);
  for (double& one : silicon) one = shape_.silicon * normal(random_);
  for (const Group& group : groups) {
    double of_rack = 0, of_node = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
      if (unit % (4 * per_node) == 0) of_rack = shape_.rack * normal(random_);
      if (unit % per_node == 0) of_node = shape_.node * normal(random_);
      lasting_[group.name].push_back(of_rack + of_node + group.silicon * silicon[unit]);
    }
  }
}

void SyntheticFleet::draw_nodes() {
  constexpr double kept = 0.9;
  std::normal_distribution<double> normal;
  for (double& one : wandered_)
    one = kept * one + std::sqrt(1 - kept * kept) * shape_.wandering * normal(random_);
}

void SyntheticFleet::draw_values(Fleet& fleet, double hour, double day) {
  const std::size_t units = fleet.units.size(), per_node = static_cast<std::size_t>(shape_.gpus_per_node);
  draw_nodes();
  std::bernoulli_distribution is_disturbed(shape_.disturbed);
  fleet.values.resize(fleet.metrics.size() * units);
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    const std::vector<double>& lasting = lasting_.at(fleet.metrics[metric].group);
    for (std::size_t unit = 0; unit < units; ++unit) {
      // A node is measured at its time of day.
      const std::size_t node = unit / per_node;
      const double passed = static_cast<double>(node) / static_cast<double>(shape_.nodes);
      const double passing = shape_.time_of_day * std::sin(2 * std::numbers::pi * (passed + hour));
      double log = lasting[unit] + passing + day + (own_noise_.empty() ? 1 : own_noise_[unit]) * noise();
      if (!wandered_.empty()) log += wandered_[node];
      if (shape_.disturbed > 0 && is_disturbed(random_)) log -= 0.05;
      fleet.at(metric, unit) = 100.0 * static_cast<double>(metric + 1) *
                               std::exp(fleet.metrics[metric].larger_is_better ? log : -log);
    }
  }
}

Fleet SyntheticFleet::measure_again() {
  Fleet again = fleet_;
  std::uniform_real_distribution<double> hour(0, 1), day(-0.02, 0.02);
  const double at = hour(random_);
  ++round_;
  draw_values(again, at, day(random_) - shape_.slower_each_day * round_);
  for (const auto& [cell, loss] : losses_)
    again.at(cell.first, cell.second) *= std::exp(again.metrics[cell.first].larger_is_better ? loss : -loss);
  for (const PlantedLoss& one : planted_)
    if (one.every > 1 && round_ % one.every == 1) lower(one, again);
  leave_out_missed(again);
  return again;
}

void SyntheticFleet::leave_out_missed(Fleet& fleet) {
  if (shape_.missed == 0) return;
  const auto per_node = static_cast<std::size_t>(shape_.gpus_per_node);
  for (std::size_t node = 0; node * per_node < fleet.units.size(); ++node) {
    const bool is_faulty =
        lowered_.lower_bound(node * per_node) != lowered_.lower_bound((node + 1) * per_node);
    if (!std::bernoulli_distribution(is_faulty ? 0.5 : shape_.missed)(random_)) continue;
    for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
      for (std::size_t unit = node * per_node; unit < (node + 1) * per_node; ++unit)
        fleet.at(metric, unit) = std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<std::string> SyntheticFleet::places_of(const std::string& level) const {
  std::vector<std::string> places;
  for (const auto& [place, units] : members_)
    if (place.first == level) places.push_back(place.second);
  return places;
}

std::vector<std::size_t> SyntheticFleet::metrics_of(const PlantedLoss& loss) const {
  std::vector<std::size_t> metrics;
  for (std::size_t metric = 0; metric < fleet_.metrics.size(); ++metric)
    if (loss.whole_group ? fleet_.metrics[metric].group == fleet_.metrics[loss.metric].group
                         : metric == loss.metric)
      metrics.push_back(metric);
  return metrics;
}

void SyntheticFleet::lower(const PlantedLoss& loss, Fleet& fleet) const {
  for (const std::size_t metric : metrics_of(loss)) {
    const double factor = fleet.metrics[metric].larger_is_better ? 1 - loss.loss : 1 / (1 - loss.loss);
    for (const std::size_t unit : members_.at({loss.level, loss.place})) fleet.at(metric, unit) *= factor;
  }
}

/// In all rounds.
void SyntheticFleet::lower(const PlantedLoss& loss) {
  lower(loss, fleet_);
  for (const std::size_t metric : metrics_of(loss))
    for (const std::size_t unit : members_.at({loss.level, loss.place}))
      losses_[{metric, unit}] += std::log1p(-loss.loss);
}

const PlantedLoss& SyntheticFleet::plant_one(const std::string& level, double loss, const std::string& group,
                                             bool whole_group, int every) {
  std::vector<std::string> places = places_of(level);
  std::erase_if(places, [&](const std::string& place) {
    return std::ranges::any_of(members_.at({level, place}),
                               [&](std::size_t unit) { return lowered_.contains(unit); });
  });
  std::vector<std::size_t> metrics;
  for (std::size_t metric = 0; metric < fleet_.metrics.size(); ++metric)
    if (group.empty() || fleet_.metrics[metric].group == group) metrics.push_back(metric);
  const auto any_of = [&](const auto& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random_)];
  };
  planted_.push_back({level, any_of(places), any_of(metrics), loss, whole_group, every});
  const auto& units = members_.at({level, planted_.back().place});
  lowered_.insert(units.begin(), units.end());
  if (every == 1) lower(planted_.back());
  return planted_.back();
}

void SyntheticFleet::plant(const std::vector<double>& losses, int each) {
  std::vector<std::string> levels = fleet_.levels;
  levels.insert(levels.begin(), fleet_.unit_level);
  std::uniform_int_distribution<std::size_t> any_metric(0, fleet_.metrics.size() - 1);
  for (const std::string& level : levels) {
    std::vector<std::string> places = places_of(level);
    std::shuffle(places.begin(), places.end(), random_);
    const auto module =
        static_cast<int>(0.8 * static_cast<double>(places.size()) / static_cast<double>(losses.size()));
    for (const double loss : losses)
      for (int time = 0; time < std::min(each, module); ++time) {
        planted_.push_back({level, places.back(), any_metric(random_), loss, false});
        places.pop_back();
        lower(planted_.back());
      }
  }
}

std::vector<NoiseModel> noise_models(int nodes) {
  const FleetShape quiet{.nodes = nodes,
                         .nodes_per_pod = 8,
                         .metrics = 5,
                         .products = 3,
                         .noise_shape = NoiseShape::normal,
                         .silicon = 0,
                         .node = 0,
                         .rack = 0,
                         .time_of_day = 0};
  std::vector<NoiseModel> models;
  const auto add = [&](const char* name) -> FleetShape& {
    return models.emplace_back(NoiseModel{name, quiet}).shape;
  };
  add("normal");
  FleetShape& student = add("Student's t, 3 degrees");
  student.noise_shape = NoiseShape::student_t;
  student.tail_degrees = 3;
  add("skewed").noise_shape = NoiseShape::skewed;
  add("racks 0.5 %").rack = 0.005;
  add("drift over the day 1.5 %").time_of_day = 0.015;
  add("nodes 0.3 %").node = 0.003;
  add("noise of its own each (lognormal, s 0.7)").unequal = 0.7;
  add("nodes wander by 0.5 %, AR(0.9)").wandering = 0.005;
  add("each day 2 % slower").slower_each_day = 0.02;
  add("one value in twenty 5 % slow").disturbed = 0.05;
  add("missed rounds: one in twenty, half if faulty").missed = 0.05;
  add("silicon 1.5 %").silicon = 0.015;
  return models;
}

bool is_found(const FleetJudgement& judgement, const PlantedLoss& loss) {
  for (const FleetFinding& one : judgement.findings)
    if ((one.is_fault() || (loss.every > 1 && one.kind == FindingKind::some_runs)) &&
        one.level == loss.level && one.place == loss.place)
      return true;
  return false;
}

std::string Found::percent() const { return of == 0 ? "-" : fmt::format("{:.0f}", 100.0 * found / of); }

}  // namespace assay::results
