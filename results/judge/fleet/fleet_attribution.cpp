// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_attribution.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

bool is_common(const AttributedFinding& one) { return one.part->common; }

/// Whether `wide` is of the same metric, or of a group that holds it.
bool covers(const AttributedFinding& wide, const AttributedFinding& one) {
  return wide.finding.metric == one.finding.metric ||
         (is_common(wide) && (wide.group.empty() || wide.group == one.group));
}

const std::vector<std::size_t>& units_in(const AttributedFinding& one) {
  return one.level->level.members[one.place];
}

bool holds(const AttributedFinding& wide, const AttributedFinding& one) {
  return units_in(wide).size() > units_in(one).size() && std::ranges::includes(units_in(wide), units_in(one));
}

/// Whether those that it was compared with are in that place too, so that the place cannot be why it is
/// slower.
bool holds_those_beside(const AttributedFinding& wide, const AttributedFinding& one) {
  if (!one.part->beside) return false;
  for (const auto& places : one.level->siblings)
    if (std::ranges::find(places, one.place) != places.end())
      return std::ranges::all_of(places, [&](std::size_t place) {
        return std::ranges::includes(units_in(wide), one.level->level.members[place]);
      });
  return false;
}

bool is_same_place(const AttributedFinding& one, const AttributedFinding& other) {
  return one.level == other.level && one.place == other.place;
}

/// Whether `why` explains `one`: as its whole group of metrics, or as a place that holds its place.
bool explains(const AttributedFinding& why, const AttributedFinding& one, double margin) {
  if (!why.finding.is_fault() || &why == &one || !covers(why, one)) return false;
  const bool rest_is_small = one.finding.loss - why.finding.loss < margin;
  if (is_same_place(why, one)) return is_common(why) && !is_common(one) && rest_is_small;
  return holds(why, one) && rest_is_small && !holds_those_beside(why, one);
}

/// The loss of a place without some of its units: the median over the runs of the other units' median.
double loss_without(const AttributedFinding& place, const std::set<std::size_t>& left_out,
                    const FleetPart& units) {
  std::vector<double> runs, values;
  for (const Deviations& round : units.rounds) {
    values.clear();
    for (std::size_t metric = 0; metric < units.metrics.size(); ++metric) {
      const bool meant = is_common(place) ? place.group.empty() || place.group == units.groups[metric]
                                          : place.finding.metric == units.metrics[metric];
      for (const std::size_t unit : units_in(place))
        if (const double value = round.at(metric, unit);
            meant && !left_out.contains(unit) && !std::isnan(value))
          values.push_back(value);
    }
    if (!values.empty()) runs.push_back(core::median_in_place(values));
  }
  return runs.empty() ? 0 : loss_of_shift(core::median_in_place(runs));
}

/// Whether the faults of half of its units at most, each larger than its own, are all that a place has
/// against it.
bool is_its_units(const AttributedFinding& one, const std::vector<AttributedFinding>& found,
                  const FleetPart& units) {
  std::set<std::size_t> faulty;
  for (const AttributedFinding& unit : found)
    if (unit.finding.is_fault() && units_in(unit).size() == 1 && (covers(unit, one) || covers(one, unit)) &&
        unit.finding.loss > one.finding.loss && holds(one, unit))
      faulty.insert(units_in(unit).front());
  if (faulty.empty() || 2 * faulty.size() > units_in(one).size()) return false;
  return 2 * loss_without(one, faulty, units) < one.finding.loss;
}

}  // namespace

std::vector<FleetFinding> attributed(const std::vector<AttributedFinding>& found, const FleetPart& units,
                                     double margin) {
  std::vector<AttributedFinding> places;
  for (const AttributedFinding& one : found)
    if (units_in(one).size() == 1 || !is_its_units(one, found, units)) places.push_back(one);
  std::vector<FleetFinding> kept;
  for (const AttributedFinding& one : places)
    if (std::ranges::none_of(places,
                             [&](const AttributedFinding& why) { return explains(why, one, margin); }))
      kept.push_back(one.finding);
  std::ranges::stable_sort(kept, [](const FleetFinding& one, const FleetFinding& other) {
    return std::tuple(!one.is_fault(), -one.loss) < std::tuple(!other.is_fault(), -other.loss);
  });
  return kept;
}

void ClearedRuns::add(std::size_t place, const std::vector<std::size_t>& rounds, AttributedFinding finding) {
  auto& [all_rounds, findings] = places_[place];
  all_rounds.insert(rounds.begin(), rounds.end());
  findings.push_back(std::move(finding));
}

std::vector<AttributedFinding> ClearedRuns::habits() const {
  std::vector<AttributedFinding> found;
  for (const auto& [place, of_place] : places_)
    if (of_place.first.size() >= 2) found.insert(found.end(), of_place.second.begin(), of_place.second.end());
  for (AttributedFinding& one : found) one.finding.more_runs = std::nullopt;
  return found;
}

}  // namespace assay::results
