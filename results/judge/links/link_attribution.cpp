// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/links/link_attribution.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace assay::results {
namespace {

/// Both ends of the links of a rail are on it.
std::array<std::string, 2> both_ends(const std::string& place) {
  return ends_in(place).value_or(std::array{place, place});
}

/// The end itself, its host or its rail.
bool holds(const std::string& place, const std::string& end) {
  const auto slash = end.find('/');
  return place == end ||
         (slash != std::string::npos && (place == end.substr(0, slash) || place == end.substr(slash + 1)));
}

using Faults = std::vector<FleetFinding>;

/// The faults of ends in the metric of a link.
Faults faults_in(const FleetAcceptance& ends, const std::string& metric) {
  Faults faults;
  for (const FleetFinding& one : ends.judged.findings)
    if (one.is_fault() && one.metric == metric + std::string(as_an_end)) faults.push_back(one);
  return faults;
}

/// Whether the link's loss without those of its ends is below its limit.
bool is_explained(const FleetFinding& link, const Faults& of_ends) {
  double rest = 1 - link.loss;
  bool any = false;
  for (const std::string& end : both_ends(link.place))
    for (const FleetFinding& one : of_ends) {
      if (!holds(one.place, end)) continue;
      rest /= 1 - one.loss;
      any = true;
    }
  return any && 1 - rest < link.limit;
}

/// The units of one bad host or rail may be more than a tenth of all.
void leave_out_divisions(FleetAcceptance& fleet, const std::function<Faults(const std::string&)>& faults_in) {
  constexpr std::int64_t one_in = 10;
  const Fleet& measured = fleet.measured.first;
  std::erase_if(fleet.judged.unlike, [&](const FleetUnlike& one) {
    if (one.level != measured.unit_level || one.slower != one.unlike) return false;
    const Faults faults = faults_in(one.metric);
    const auto explained = std::ranges::count_if(measured.units, [&](const FleetUnit& unit) {
      return std::ranges::any_of(faults,
                                 [&](const auto& fault) { return is_at_an_end(fault.place, unit.name); });
    });
    return explained > 0 && one_in * (one.slower - explained) <= one.places;
  });
}

void leave_out_explained(FleetAcceptance& links, const FleetAcceptance& ends) {
  const auto faults_of = [&](const std::string& metric) { return faults_in(ends, metric); };
  std::erase_if(links.judged.findings,
                [&](const FleetFinding& one) { return is_explained(one, faults_of(one.metric)); });
  leave_out_divisions(links, faults_of);
}

/// Leaves out links that do not count because a port's counters failed: that is the port's finding.
void leave_out_links_of(const std::vector<FleetIssue>& failed_ports, MeasuredFleet& links) {
  const auto is_of_them = [&](const FleetIssue& link) {
    return std::ranges::any_of(failed_ports,
                               [&](const FleetIssue& port) { return is_at_an_end(port.unit, link.unit); });
  };
  std::erase_if(links.doubted, is_of_them);
  std::erase_if(links.missing, is_of_them);
}

/// Whole hosts and rails among ends.
void leave_out_divisions_of_ends(FleetAcceptance& ends) {
  leave_out_divisions(ends, [&](const std::string& metric) {
    Faults larger;
    for (const FleetFinding& one : ends.judged.findings)
      if (one.is_fault() && one.metric == metric && one.level != ends.measured.first.unit_level)
        larger.push_back(one);
    return larger;
  });
}

}  // namespace

bool is_at_an_end(const std::string& place, const std::string& link) {
  return std::ranges::any_of(both_ends(link), [&](const auto& end) { return holds(place, end); });
}

std::vector<FleetAcceptance> accept_all(std::vector<MeasuredFleet> fleets, const FleetRules& rules) {
  std::vector<FleetAcceptance> all;
  for (MeasuredFleet& fleet : fleets) all.push_back(accept(std::move(fleet), rules));
  for (FleetAcceptance& ends : all) {
    if (!ends.measured.of_link_ends) continue;
    leave_out_divisions_of_ends(ends);
    for (FleetAcceptance& links : all) {
      if (links.measured.first.unit_level != "link") continue;
      leave_out_explained(links, ends);
      leave_out_links_of(ends.measured.failed, links.measured);
    }
  }
  return all;
}

}  // namespace assay::results
