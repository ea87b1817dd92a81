// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "results/judge/fleet_suspects.hpp"

namespace assay::results {
namespace {

using Place = std::pair<std::string, std::string>;  // level, name
using FreshRows =
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<double>>;  // and metric

void collect(const Deviations& deviations, const std::set<Place>& wanted, FreshRows& rows) {
  for (std::size_t place = 0; place < deviations.places.size(); ++place) {
    if (!wanted.contains({deviations.level, deviations.places[place]})) continue;
    for (std::size_t metric = 0; metric < deviations.metrics.size(); ++metric)
      if (const double value = deviations.at(metric, place); !std::isnan(value))
        rows[{deviations.level, deviations.places[place], deviations.metrics[metric]}].push_back(value);
  }
}

void collect_both(const Deviations& fresh, const std::set<Place>& wanted, FreshRows& rows) {
  const SplitDeviations parts = split(fresh);
  collect(parts.own, wanted, rows);
  collect(parts.common, wanted, rows);
}

/// Every unit at the place of a suspect, for its metric or for all of its group.
Excluded excluded_of(const Fleet& fleet, std::span<const Suspect> suspects) {
  std::map<Place, std::set<std::string>> of_place;
  for (const Suspect& suspect : suspects) of_place[{suspect.level, suspect.place}].insert(suspect.metric);
  Excluded excluded(fleet.values.size());
  const auto exclude = [&](std::size_t unit, const Place& place) {
    const auto found = of_place.find(place);
    if (found == of_place.end()) return;
    for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
      if (found->second.contains(fleet.metrics[metric].name) ||
          found->second.contains("all of " + fleet.metrics[metric].group))
        excluded[metric * fleet.units.size() + unit] = true;
  };
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    exclude(unit, {fleet.unit_level, fleet.units[unit].name});
    for (std::size_t level = 0; level < fleet.levels.size(); ++level)
      exclude(unit, {fleet.levels[level], fleet.units[unit].places[level]});
  }
  return excluded;
}

}  // namespace

std::vector<Retest> retests_of(const Fleet& first, std::span<const Fleet> again,
                               std::span<const Suspect> suspects) {
  std::set<Place> wanted;
  for (const Suspect& suspect : suspects) wanted.emplace(suspect.level, suspect.place);
  const Deviations looked = deviations_of(first);
  const Excluded excluded = excluded_of(first, suspects);
  FreshRows rows;
  for (const Fleet& fleet : again) {
    const Deviations fresh = deviations_against(first, looked, fleet, excluded);
    collect_both(fresh, wanted, rows);
    for (std::size_t level = 0; level < first.levels.size(); ++level)
      collect_both(at_level(first, fresh, level), wanted, rows);
  }
  std::vector<Retest> retests;
  for (const Suspect& suspect : suspects)
    retests.push_back({suspect, rows[{suspect.level, suspect.place, suspect.metric}]});
  return retests;
}

}  // namespace assay::results
