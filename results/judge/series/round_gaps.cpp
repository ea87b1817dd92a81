// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/round_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "results/judge/fleet/fleet_rounds.hpp"

namespace assay::results {
namespace {

/// Points and rounds that a unit lacks.
struct Lack {
  std::size_t absent = 0;                // points that it never measured
  std::size_t in_fewer = 0;              // points that it measured in fewer rounds than its equals, or never
  std::size_t least = 0, of_rounds = 0;  // the worst of these

  /// A point passes on three of four rounds: its interval is then at most 1.16 times as wide (the root of
  /// 4/3). With fewer, what the absent runs would have shown may outweigh it.
  bool is_open() const { return absent > 0 || 4 * least < 3 * of_rounds; }
  bool is_worse(std::size_t measured, std::size_t rounds) const {
    return of_rounds == 0 || measured * of_rounds < least * rounds;
  }
};

class Gaps {
 public:
  Gaps(const MeasuredFleet& measured, const std::vector<bool>& is_retest)
      : fleet_(measured.first), is_retest_(is_retest), lacks_(fleet_.units.size()) {
    measured.each_round([&](const Fleet& round) { rounds_.push_back(&round); });
    const auto blocks = blocks_of(fleet_);
    for (std::size_t metric = 0; metric < fleet_.metrics.size(); ++metric)
      for (const std::vector<std::size_t>& units : blocks) count(metric, units);
  }

  /// Indexed by unit.
  const std::vector<Lack>& lacks() const { return lacks_; }

 private:
  void count(std::size_t metric, const std::vector<std::size_t>& units) {
    std::size_t ever = 0;
    for (const std::size_t unit : units) {
      const bool measured =
          std::ranges::any_of(rounds_, [&](auto* round) { return has(*round, metric, unit); });
      ++(measured ? ever : lacks_[unit].absent);
    }
    std::vector<std::size_t> measured_in(units.size(), 0);
    std::size_t of_rounds = 0;
    for (std::size_t number = 0; number < rounds_.size(); ++number) {
      if (is_retest_[number]) continue;
      const Fleet* round = rounds_[number];
      const auto now =
          std::ranges::count_if(units, [&](std::size_t unit) { return has(*round, metric, unit); });
      if (now == 0 || 4 * static_cast<std::size_t>(now) < 3 * ever) continue;
      ++of_rounds;
      for (std::size_t at = 0; at < units.size(); ++at)
        measured_in[at] += has(*round, metric, units[at]) ? 1 : 0;
    }
    for (std::size_t at = 0; at < units.size(); ++at)
      if (measured_in[at] < of_rounds) note(lacks_[units[at]], measured_in[at], of_rounds);
  }

  static void note(Lack& lack, std::size_t measured, std::size_t rounds) {
    ++lack.in_fewer;
    if (lack.is_worse(measured, rounds)) lack.least = measured, lack.of_rounds = rounds;
  }

  static bool has(const Fleet& round, std::size_t metric, std::size_t unit) {
    return !std::isnan(round.at(metric, unit));
  }

  const Fleet& fleet_;
  const std::vector<bool>& is_retest_;
  std::vector<const Fleet*> rounds_;
  std::vector<Lack> lacks_;
};

std::string text_of(const Lack& lack, std::size_t points) {
  if (lack.absent > 0) return fmt::format("{} of {} points", lack.absent, points);
  const std::string rounds = fmt::format("in {} of {} rounds of its equals", lack.least, lack.of_rounds);
  return (lack.in_fewer == points ? "" : fmt::format("{} of {} points ", lack.in_fewer, points)) +
         "measured " + rounds;
}

/// The host of a unit below one, else nothing.
std::string host_above(const Fleet& fleet, const FleetUnit& unit) {
  return !fleet.levels.empty() && fleet.levels.front() == "host" ? unit.places.front() : "";
}

}  // namespace

void note_gaps(MeasuredFleet& measured, const std::vector<bool>& is_retest) {
  const Fleet& fleet = measured.first;
  const Gaps gaps(measured, is_retest);
  std::map<std::string, std::size_t> units_of_host;
  for (const FleetUnit& unit : fleet.units) ++units_of_host[host_above(fleet, unit)];
  std::map<std::tuple<std::string, std::string, bool>, std::vector<std::string>>
      alike;  // by host, text, is_open()
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    const Lack& lack = gaps.lacks()[unit];
    if (lack.absent + lack.in_fewer == 0) continue;
    const std::string host = host_above(fleet, fleet.units[unit]);
    alike[{host, text_of(lack, fleet.metrics.size()), lack.is_open()}].push_back(fleet.units[unit].name);
  }
  for (const auto& [what, units] : alike) {
    const auto& [host, text, is_open] = what;
    auto& issues = is_open ? measured.missing : measured.gaps;
    if (!host.empty() && units.size() > 1 && units.size() == units_of_host[host])
      issues.push_back(
          {.unit = host, .reason = fmt::format("its {} {}s: {}", units.size(), fleet.unit_level, text)});
    else
      for (const std::string& unit : units) issues.push_back({.unit = unit, .reason = text});
  }
}

}  // namespace assay::results
