// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/synthetic/synthetic_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  draw_values();
}

void SyntheticFleet::place_units() {
  fleet_.levels = {"node", "rail", "switch"};
  for (int metric = 0; metric < shape_.metrics; ++metric) {
    const std::string group = groups[static_cast<std::size_t>(metric) % std::size(groups)].name;
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
  std::student_t_distribution<double> tail(shape_.tail_degrees);
  const double scale = std::sqrt((shape_.tail_degrees - 2) / shape_.tail_degrees);
  return shape_.noise * scale * tail(random_);
}

void SyntheticFleet::draw_values() {
  const std::size_t units = fleet_.units.size(), per_node = static_cast<std::size_t>(shape_.gpus_per_node);
  std::normal_distribution<double> normal;
  std::vector<double> silicon(units);
  for (double& one : silicon) one = shape_.silicon * normal(random_);
  fleet_.values.resize(fleet_.metrics.size() * units);
  for (std::size_t group = 0; group < std::size(groups); ++group) {
    std::vector<double>& lasting = lasting_[groups[group].name];
    std::vector<double> passing(units);
    double of_rack = 0, of_node = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
      if (unit % (4 * per_node) == 0) of_rack = shape_.rack * normal(random_);
      if (unit % per_node == 0) of_node = shape_.node * normal(random_);
      lasting.push_back(of_rack + of_node + groups[group].silicon * silicon[unit]);
      // A node is measured at its time of day.
      const std::size_t node = unit / per_node;
      passing[unit] = shape_.time_of_day * std::sin(2 * std::numbers::pi * static_cast<double>(node) /
                                                    static_cast<double>(shape_.nodes));
    }
    for (std::size_t metric = group; metric < fleet_.metrics.size(); metric += std::size(groups))
      for (std::size_t unit = 0; unit < units; ++unit) {
        const double log = lasting[unit] + passing[unit] + noise();
        fleet_.at(metric, unit) = 100.0 * static_cast<double>(metric + 1) *
                                  std::exp(fleet_.metrics[metric].larger_is_better ? log : -log);
      }
  }
}

std::vector<std::string> SyntheticFleet::places_of(const std::string& level) const {
  std::vector<std::string> places;
  for (const auto& [place, units] : members_)
    if (place.first == level) places.push_back(place.second);
  return places;
}

void SyntheticFleet::lower(const PlantedLoss& loss) {
  const double factor = fleet_.metrics[loss.metric].larger_is_better ? 1 - loss.loss : 1 / (1 - loss.loss);
  for (const std::size_t unit : members_.at({loss.level, loss.place})) {
    fleet_.at(loss.metric, unit) *= factor;
    losses_[{loss.metric, unit}] += std::log1p(-loss.loss);
  }
}

void SyntheticFleet::plant(const std::vector<double>& losses, int each) {
  std::vector<std::string> levels = fleet_.levels;
  levels.insert(levels.begin(), fleet_.unit_level);
  std::uniform_int_distribution<std::size_t> any_metric(0, fleet_.metrics.size() - 1);
  for (const std::string& level : levels) {
    std::vector<std::string> places = places_of(level);
    std::shuffle(places.begin(), places.end(), random_);
    const auto room =
        static_cast<int>(0.8 * static_cast<double>(places.size()) / static_cast<double>(losses.size()));
    for (const double loss : losses)
      for (int time = 0; time < std::min(each, room); ++time) {
        planted_.push_back({level, places.back(), any_metric(random_), loss});
        places.pop_back();
        lower(planted_.back());
      }
  }
}

std::vector<double> SyntheticFleet::measure_again(const std::string& level, const std::string& place,
                                                  const std::string& metric, int times) {
  const std::string all_of = "all of ";
  std::vector<double> truths;
  for (const std::size_t unit : members_.at({level, place})) {
    double truth = 0;
    if (metric.starts_with(all_of)) truth = lasting_.at(metric.substr(all_of.size()))[unit];
    for (std::size_t at = 0; at < fleet_.metrics.size(); ++at)
      if (const auto loss = losses_.find({at, unit});
          fleet_.metrics[at].name == metric && loss != losses_.end())
        truth += loss->second;
    truths.push_back(truth);
  }
  std::sort(truths.begin(), truths.end());
  std::vector<double> values;
  for (int time = 0; time < times; ++time) values.push_back(truths[truths.size() / 2] + noise());
  return values;
}

}  // namespace assay::results
