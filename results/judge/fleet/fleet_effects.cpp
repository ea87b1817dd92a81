// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_effects.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <map>
#include <set>

#include "harness/core/statistics/order_statistic.hpp"

namespace assay::results {
namespace {

constexpr double no_effect = std::numeric_limits<double>::quiet_NaN();
/// The median of fewer shows little of what they have in common.
constexpr std::size_t least_beside = 4;
constexpr std::size_t least_together = 3;  // metrics that have something in common

FleetLevel level_of(const Fleet& fleet, std::size_t number) {
  FleetLevel level{.name = fleet.levels[number]};
  std::map<std::string, std::vector<std::size_t>> by_place;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
    if (const std::string& place = fleet.units[unit].places[number]; !place.empty())
      by_place[place].push_back(unit);
  for (auto& [place, units] : by_place) {
    level.places.push_back(place);
    level.members.push_back(std::move(units));
  }
  return level;
}

FleetLevel units_of(const Fleet& fleet) {
  FleetLevel level{.name = fleet.unit_level};
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    level.places.push_back(fleet.units[unit].name);
    level.members.push_back({unit});
  }
  return level;
}

/// The mean without an eighth on either side, one at least of three and more: one bad unit does not move a
/// place, and noise moves it less than a median.
double trimmed_mean(std::vector<double>& values) {
  std::ranges::sort(values);
  const std::size_t cut = values.size() < 3 ? 0 : std::max<std::size_t>(1, values.size() / 8);
  double sum = 0;
  for (std::size_t at = cut; at < values.size() - cut; ++at) sum += values[at];
  return sum / static_cast<double>(values.size() - 2 * cut);
}

/// The middle of the units of each place, where half of them were measured.
Deviations effects_of(const FleetLevel& level, const Deviations& units) {
  Deviations effects{.places = level.places.size()};
  std::vector<double> values;
  for (std::size_t metric = 0; metric < units.metrics(); ++metric)
    for (const auto& members : level.members) {
      values.clear();
      for (const std::size_t unit : members)
        if (const double value = units.at(metric, unit); !std::isnan(value)) values.push_back(value);
      const bool enough = !values.empty() && 2 * values.size() >= members.size();
      effects.values.push_back(enough ? trimmed_mean(values) : no_effect);
    }
  return effects;
}

/// The median of a sorted list without the one at `left_out`.
double median_without(const std::vector<double>& sorted, std::size_t left_out) {
  const std::size_t rest = sorted.size() - 1, middle = rest / 2;
  const auto at = [&](std::size_t number) { return sorted[number < left_out ? number : number + 1]; };
  return rest % 2 == 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

std::set<std::string> hosts_of(const Fleet& fleet, std::size_t host_level,
                               const std::vector<std::size_t>& units) {
  std::set<std::string> hosts;
  for (const std::size_t unit : units) hosts.insert(fleet.units[unit].places[host_level]);
  return hosts;
}

/// Places of one level on the same hosts: the GPUs of a host, the rails of a pod. What a host, a rack or the
/// hour does is the same for all of them. Empty unless all places have several such neighbours.
Siblings siblings_of(const Fleet& fleet, const FleetLevel& level) {
  const auto host = std::ranges::find(fleet.levels, "host");
  if (host == fleet.levels.end() || level.name == "host") return {};
  const auto host_level = static_cast<std::size_t>(host - fleet.levels.begin());
  std::map<std::set<std::string>, std::vector<std::size_t>> groups;
  for (std::size_t place = 0; place < level.places.size(); ++place)
    groups[hosts_of(fleet, host_level, level.members[place])].push_back(place);
  Siblings siblings;
  for (auto& [hosts, places] : groups) {
    if (places.size() <= least_beside) return {};
    siblings.push_back(std::move(places));
  }
  return siblings;
}

/// Each place less the median of its neighbours on the same hosts.
Deviations beside_of(const Deviations& effects, const Siblings& siblings) {
  Deviations beside = effects;
  std::vector<std::pair<double, std::size_t>> order;
  std::vector<double> sorted;
  for (std::size_t metric = 0; metric < effects.metrics(); ++metric)
    for (const auto& places : siblings) {
      order.clear(), sorted.clear();
      for (const std::size_t place : places)
        if (const double value = effects.at(metric, place); !std::isnan(value))
          order.emplace_back(value, place);
      std::ranges::sort(order);
      for (const auto& [value, place] : order) sorted.push_back(value);
      for (std::size_t at = 0; at < order.size(); ++at)
        beside.at(metric, order[at].second) -=
            order.size() <= least_beside ? no_effect : median_without(sorted, at);
    }
  return beside;
}

/// Metrics that are compared with the same ones.
struct Companions {
  std::vector<std::size_t> all;     // they, and what they are compared with
  std::vector<bool> compares = {};  // of each of `all`
};

/// Metrics share the fate of their group, or of all metrics where that is too small.
std::vector<Companions> companions_of(const std::vector<std::string>& groups) {
  std::map<std::string, std::vector<std::size_t>> by_group;
  for (std::size_t metric = 0; metric < groups.size(); ++metric) by_group[groups[metric]].push_back(metric);
  std::vector<Companions> companions;
  Companions rest{.all = {}, .compares = std::vector<bool>(groups.size(), false)};
  for (std::size_t metric = 0; metric < groups.size(); ++metric) rest.all.push_back(metric);
  for (const auto& [group, metrics] : by_group) {
    if (metrics.size() >= least_together)
      companions.push_back({metrics, std::vector<bool>(metrics.size(), true)});
    else
      for (const std::size_t metric : metrics) rest.compares[metric] = true;
  }
  if (std::ranges::find(rest.compares, true) != rest.compares.end()) companions.push_back(std::move(rest));
  return companions;
}

/// Each metric less the median of its companions, which are sorted once for all of them.
Deviations own_of(const Deviations& net, const std::vector<Companions>& companions) {
  Deviations own = net;
  std::vector<std::pair<double, std::size_t>> order;  // value and number among the companions
  std::vector<double> sorted;
  for (const Companions& together : companions)
    for (std::size_t place = 0; place < net.places; ++place) {
      order.clear(), sorted.clear();
      for (std::size_t number = 0; number < together.all.size(); ++number)
        if (const double value = net.at(together.all[number], place); !std::isnan(value))
          order.emplace_back(value, number);
      std::ranges::sort(order);
      for (const auto& [value, number] : order) sorted.push_back(value);
      for (std::size_t at = 0; at < order.size(); ++at)
        if (const std::size_t number = order[at].second; together.compares[number])
          own.at(together.all[number], place) -=
              sorted.size() < least_together ? no_effect : median_without(sorted, at);
    }
  return own;
}

/// Metrics that are looked at as one.
struct Together {
  std::string name, group;
  std::vector<std::size_t> metrics;
};

/// All points together only of places: silicon moves some metrics of a unit and not others.
std::vector<Together> together_of(const std::vector<std::string>& groups, bool of_units) {
  std::map<std::string, std::vector<std::size_t>> by_group;
  std::vector<std::size_t> everything;
  for (std::size_t metric = 0; metric < groups.size(); ++metric) {
    by_group[groups[metric]].push_back(metric);
    everything.push_back(metric);
  }
  std::vector<Together> all;
  for (auto& [group, metrics] : by_group)
    if (metrics.size() >= least_together) all.push_back({"all of " + group, group, std::move(metrics)});
  const bool one_group = all.size() == 1 && all[0].metrics.size() == groups.size();
  if (!of_units && groups.size() >= least_together && !one_group)
    all.push_back({"all points", "", std::move(everything)});
  return all;
}

Deviations common_of(const Deviations& net, const std::vector<Together>& together) {
  Deviations common{.places = net.places};
  std::vector<double> values;
  for (const Together& one : together)
    for (std::size_t place = 0; place < net.places; ++place) {
      values.clear();
      for (const std::size_t metric : one.metrics)
        if (const double value = net.at(metric, place); !std::isnan(value)) values.push_back(value);
      common.values.push_back(values.size() < least_together ? no_effect : core::median_in_place(values));
    }
  return common;
}

/// All ways to look at a level, from its effects run by run.
class Ways {
 public:
  Ways(const Fleet& fleet, bool of_units) {
    for (const FleetMetric& metric : fleet.metrics) {
      metrics_.push_back(metric.name);
      groups_.push_back(metric.group);
    }
    companions_ = companions_of(groups_);
    together_ = together_of(groups_, of_units);
  }

  void add(LevelParts& parts, std::vector<Deviations> rounds, bool beside) const {
    const bool any_own = groups_.size() >= least_together;
    FleetPart whole{.beside = beside, .metrics = metrics_, .groups = groups_},
        own = whole, common{.beside = beside, .common = true};
    for (const Together& one : together_) {
      common.metrics.push_back(one.name);
      common.groups.push_back(one.group);
    }
    const bool on_two_threads = parts.level.places.size() >= worth_threads;
    std::future<void> common_rounds =
        std::async(on_two_threads ? std::launch::async : std::launch::deferred, [&] {
          if (!together_.empty())
            for (const Deviations& round : rounds) common.rounds.push_back(common_of(round, together_));
        });
    if (any_own)
      for (const Deviations& round : rounds) own.rounds.push_back(own_of(round, companions_));
    common_rounds.get();
    whole.rounds = std::move(rounds);
    parts.cells.push_back(std::move(whole));
    if (any_own) parts.cells.push_back(std::move(own));
    if (!together_.empty()) parts.commons.push_back(std::move(common));
  }

 private:
  std::vector<std::string> metrics_, groups_;
  std::vector<Companions> companions_;
  std::vector<Together> together_;
};

LevelParts ways_of(const Fleet& fleet, FleetLevel level, std::vector<Deviations> effects, bool of_units) {
  LevelParts parts{.level = std::move(level)};
  parts.siblings = siblings_of(fleet, parts.level);
  const Siblings& siblings = parts.siblings;
  const Ways ways(fleet, of_units);
  std::vector<Deviations> beside;
  if (!siblings.empty())
    for (const Deviations& round : effects) beside.push_back(beside_of(round, siblings));
  ways.add(parts, std::move(effects), false);
  if (!beside.empty()) ways.add(parts, std::move(beside), true);
  return parts;
}

}  // namespace

std::vector<LevelParts> parts_of(const Fleet& fleet, const FleetRounds& rounds) {
  std::vector<LevelParts> all;
  const auto add = [&](const FleetLevel& level, bool of_units) {
    if (level.places.size() < least_equals) return all.push_back({.level = level});
    std::vector<Deviations> effects;
    for (const Deviations& round : rounds.rounds)
      effects.push_back(of_units ? round : effects_of(level, round));
    all.push_back(ways_of(fleet, level, std::move(effects), of_units));
  };
  add(units_of(fleet), true);
  for (std::size_t number = 0; number < fleet.levels.size(); ++number) add(level_of(fleet, number), false);
  return all;
}

}  // namespace assay::results
