// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <tuple>

#include "results/judge/fleet_suspects.hpp"

namespace assay::results {
namespace {

using Rows =
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<double>>;  // level, place, metric

void collect(const Deviations& deviations,
             const std::map<std::pair<std::string, std::string>, std::size_t>& wanted, Rows& rows) {
  for (std::size_t metric = 0; metric < deviations.metrics.size(); ++metric)
    for (std::size_t place = 0; place < deviations.places.size(); ++place) {
      const double value = deviations.at(metric, place);
      if (!std::isnan(value) && wanted.contains({deviations.level, deviations.places[place]}))
        rows[{deviations.level, deviations.places[place], deviations.metrics[metric]}].push_back(value);
    }
}

/// A metric's own part is fresh, what the place had in common stays that of the first look.
Deviations own_of(const Deviations& fresh, const Deviations& common) {
  Deviations own = fresh;
  for (std::size_t metric = 0; metric < own.metrics.size(); ++metric)
    for (std::size_t group = 0; group < common.metrics.size(); ++group)
      if (common.groups[group] == own.groups[metric])
        for (std::size_t place = 0; place < own.places.size(); ++place)
          own.at(metric, place) -= common.at(group, place);
  return own;
}

}  // namespace

std::vector<Retest> retests_of(const Fleet& first, std::span<const Fleet> again,
                               std::span<const Suspect> suspects) {
  std::map<std::pair<std::string, std::string>, std::size_t> wanted;
  for (const Suspect& suspect : suspects) ++wanted[{suspect.level, suspect.place}];
  const Deviations looked = deviations_of(first);
  const Deviations unit_common = split(looked).common;
  Rows rows;
  for (const Fleet& fleet : again) {
    const Deviations fresh = deviations_against(first, looked, fleet);
    collect(own_of(fresh, unit_common), wanted, rows);
    collect(split(fresh).common, wanted, rows);
    for (std::size_t level = 0; level < first.levels.size(); ++level) {
      const Deviations there = at_level(first, fresh, level);
      collect(own_of(there, split(at_level(first, looked, level)).common), wanted, rows);
      collect(split(there).common, wanted, rows);
    }
  }
  std::vector<Retest> retests;
  for (const Suspect& suspect : suspects)
    retests.push_back({suspect, rows[{suspect.level, suspect.place, suspect.metric}]});
  return retests;
}

}  // namespace assay::results
