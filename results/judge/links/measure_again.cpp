// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/links/measure_again.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_rounds.hpp"
#include "results/judge/links/link_attribution.hpp"

namespace assay::results {
namespace {

constexpr std::size_t spare_partners = 2;    // a sound pair in each round
constexpr std::size_t enough_partners = 16;  // the variance of their median is 1.57 / 16 of one value's
constexpr double most_by_chance = 0.1;       // share of the hosts; one at least

/// "h2/gpu3" is of h2, "h2/rail3 - h5/rail3" of h2 and h5.
std::set<std::string> hosts_in(const std::string& place) {
  std::set<std::string> hosts;
  for (const std::string& end : ends_in(place).value_or(std::array{place, place}))
    hosts.insert(end.substr(0, end.find('/')));
  return hosts;
}

using Places = std::set<std::pair<std::string, std::string>>;  // level and place

Places places_of(const std::vector<FleetPlace>& list) {
  Places places;
  for (const FleetPlace& one : list) places.emplace(one.level, one.place);
  return places;
}

std::set<std::string> hosts_of(const Places& places, const Fleet& fleet) {
  std::set<std::string> hosts;
  for (const auto& [level, place] : places)
    if (level == fleet_unit::host) hosts.insert(place);  // which no unit may have: those of a fleet of links
  for (const FleetUnit& unit : fleet.units) {
    bool is_there = places.contains({fleet.unit_level, unit.name});
    for (std::size_t level = 0; level < fleet.levels.size(); ++level)
      is_there = is_there || places.contains({fleet.levels[level], unit.places[level]});
    if (is_there) hosts.merge(hosts_in(unit.name));
  }
  return hosts;
}

std::set<std::string> hosts_in(const Fleet& fleet) {
  std::set<std::string> hosts;
  for (const FleetUnit& unit : fleet.units) hosts.merge(hosts_in(unit.name));
  return hosts;
}

}  // namespace

std::set<std::string> open_hosts_of(const FleetAcceptance& acceptance) {
  const FleetJudgement& judged = acceptance.judged;
  const Fleet& fleet = acceptance.measured.first;
  Places open = places_of(judged.undecided);
  for (const FleetFinding& finding : judged.findings)
    if (!finding.is_fault()) open.emplace(finding.level, finding.place);
  std::set<std::string> hosts = hosts_of(open, fleet);
  const double most = std::max(1.0, most_by_chance * static_cast<double>(hosts_in(fleet).size()));
  for (const std::vector<FleetPlace>* places : {&judged.out_of_sight, &judged.cleared})
    if (std::set<std::string> few = hosts_of(places_of(*places), fleet);
        static_cast<double>(few.size()) <= most)
      hosts.merge(few);
  return hosts;
}

std::size_t partners_of(std::size_t open, bool in_pairs) {
  if (open == 0) return 0;
  const std::size_t for_each = std::max(least_partners, open + spare_partners);
  return in_pairs ? for_each : std::min(for_each, enough_partners);
}

}  // namespace assay::results
