// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the judge of fleets sees, and what it flags for nothing, on made-up fleets with known faults; the
// rules in use beside it. Prints Markdown. Usage: assay-detector-report-card [FLEETS] [NODES] [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "results/judge/fleet_suspects.hpp"
#include "results/judge/synthetic/rules_in_use.hpp"
#include "results/judge/synthetic/synthetic_fleet.hpp"

namespace {

using namespace assay::results;

constexpr int retest_times = 9;
const std::vector<double> losses{0.01, 0.02, 0.03, 0.05, 0.10, 0.25};

using Place = std::tuple<std::string, std::string, std::string>;  // level, place, metric

struct Tally {
  std::map<std::pair<std::string, double>, std::pair<int, int>> seen;  // of how many
  double false_flags = 0, suspects = 0;
};

std::set<Place> judge(SyntheticFleet& fleet, Tally& tally) {
  const FleetRules rules;
  const FleetSuspects found = first_look(fleet.fleet(), rules);
  tally.suspects += static_cast<double>(found.suspects.size());
  std::vector<Fleet> again;
  for (int time = 0; time < retest_times; ++time) again.push_back(fleet.measure_again());
  const std::vector<Retest> retests = retests_of(fleet.fleet(), again, found.suspects);
  std::set<Place> faults;
  for (const Confirmed& one : confirm(retests, rules))
    if (one.fault) faults.emplace(one.suspect.level, one.suspect.place, one.suspect.metric);
  return faults;
}

void count_seen(const SyntheticFleet& fleet, const std::set<Place>& faults, Tally& tally) {
  for (const PlantedLoss& loss : fleet.planted()) {
    auto& [seen, of] = tally.seen[{loss.level, loss.loss}];
    ++of;
    seen += faults.contains({loss.level, loss.place, fleet.fleet().metrics[loss.metric].name}) ? 1 : 0;
  }
}

/// A rule sees a fault of a place where it flags any unit there.
void count_seen(const SyntheticFleet& fleet, const Flags& flags, Tally& tally) {
  std::map<std::tuple<std::string, std::string, std::size_t>, bool> hit;
  for (const auto& [metric, unit] : flags) {
    const FleetUnit& one = fleet.fleet().units[unit];
    hit[{"gpu", one.name, metric}] = true;
    for (std::size_t level = 0; level < fleet.fleet().levels.size(); ++level)
      hit[{fleet.fleet().levels[level], one.places[level], metric}] = true;
  }
  for (const PlantedLoss& loss : fleet.planted()) {
    auto& [seen, of] = tally.seen[{loss.level, loss.loss}];
    ++of;
    seen += hit.contains({loss.level, loss.place, loss.metric}) ? 1 : 0;
  }
}

void print(const std::map<std::string, Tally>& tallies, int fleets) {
  fmt::print("| fault | loss |");
  for (const auto& [name, tally] : tallies) fmt::print(" {} |", name);
  fmt::print("\n|---|---|");
  for (std::size_t at = 0; at < tallies.size(); ++at) fmt::print("---|");
  for (const std::string level : {"gpu", "node", "rail", "switch"})
    for (const double loss : losses) {
      fmt::print("\n| one {} | {:.0f} % |", level, 100 * loss);
      for (const auto& [name, tally] : tallies) {
        const auto [seen, of] = tally.seen.at({level, loss});
        fmt::print(" {:.1f} % |", 100.0 * seen / of);
      }
    }
  fmt::print("\n| none | false flags a fleet |");
  for (const auto& [name, tally] : tallies) fmt::print(" {:.2f} |", tally.false_flags / fleets);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int fleets = argc > 1 ? std::atoi(argv[1]) : 10;
  FleetShape shape;
  if (argc > 2) shape.nodes = std::atoi(argv[2]);
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const std::string ours = "assay";
  std::map<std::string, Tally> tallies;
  for (int at = 0; at < fleets; ++at) {
    SyntheticFleet sound(shape, seed + 2 * static_cast<std::uint64_t>(at));
    tallies[ours].false_flags += static_cast<double>(judge(sound, tallies[ours]).size());
    for (const RuleInUse& rule : rules_in_use())
      tallies[std::string(rule.name)].false_flags += static_cast<double>(rule.flag(sound.fleet()).size());
    SyntheticFleet ill(shape, seed + 2 * static_cast<std::uint64_t>(at) + 1);
    ill.plant(losses, 200);
    count_seen(ill, judge(ill, tallies[ours]), tallies[ours]);
    for (const RuleInUse& rule : rules_in_use())
      count_seen(ill, rule.flag(ill.fleet()), tallies[std::string(rule.name)]);
  }
  fmt::print(
      "{} fleets without and {} with faults, {} nodes, {} metrics, seed {}; simulated. A first look sends "
      "{:.0f} "
      "of {} values to a second look.\n\n",
      fleets, fleets, shape.nodes, shape.metrics, seed, tallies[ours].suspects / (2 * fleets),
      shape.nodes * shape.gpus_per_node * shape.metrics);
  print(tallies, fleets);
  return EXIT_SUCCESS;
}
