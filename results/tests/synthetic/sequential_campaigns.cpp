// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A campaign that hosts leave as they are decided, against one that measures all hosts in as many rounds as
// it takes to accept as many sound fleets: what both find, and how many rounds a host takes part in. Prints
// Markdown. Usage: assay-sequential-campaigns [FLEETS] [NODES] [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/fleet/repeated_looks.hpp"
#include "results/judge/links/measure_again.hpp"
#include "results/judge/series/round_gaps.hpp"
#include "results/tests/synthetic/synthetic_fleet.hpp"

namespace {

using namespace assay::results;

constexpr std::size_t first_rounds = 3, most_rounds = 20;

std::string host_of(const FleetUnit& unit) { return unit.name.substr(0, unit.name.find('/')); }

std::set<std::string> hosts_of(const Fleet& fleet) {
  std::set<std::string> hosts;
  for (const FleetUnit& unit : fleet.units) hosts.insert(host_of(unit));
  return hosts;
}

/// The round without what it measured on other hosts.
Fleet only_of(Fleet round, const std::set<std::string>& hosts) {
  const std::size_t units = round.units.size();
  for (std::size_t unit = 0; unit < units; ++unit)
    if (!hosts.contains(host_of(round.units[unit])))
      for (std::size_t metric = 0; metric < round.metrics.size(); ++metric)
        round.values[metric * units + unit] = std::numeric_limits<double>::quiet_NaN();
  return round;
}

FleetAcceptance judged(const std::vector<Fleet>& rounds, const FleetRules& rules) {
  MeasuredFleet measured;
  measured.first = rounds.front();
  measured.again.assign(rounds.begin() + 1, rounds.end());
  std::vector<bool> is_retest(rounds.size(), false);
  for (std::size_t round = first_rounds; round < rounds.size(); ++round) is_retest[round] = true;
  note_gaps(measured, is_retest);
  return accept(std::move(measured), rules);
}

struct Campaign {
  FleetAcceptance accepted;
  double rounds_of_host = 0;  // mean
};

Campaign fixed(const std::vector<Fleet>& rounds, std::size_t number) {
  return {judged({rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(number)}, {}),
          static_cast<double>(number)};
}

/// Rounds of all hosts until no host is open.
std::size_t rounds_to_decide(const std::vector<Fleet>& rounds) {
  std::size_t number = first_rounds;
  while (number < most_rounds && !open_hosts_of(fixed(rounds, number).accepted).empty()) ++number;
  return number;
}

Campaign sequential(const std::vector<Fleet>& rounds) {
  static const FleetRules rules = rules_of_each_look({}, {first_rounds, most_rounds});
  const std::set<std::string> all = hosts_of(rounds.front());
  std::vector<Fleet> measured(rounds.begin(), rounds.begin() + first_rounds);
  auto host_rounds = static_cast<double>(first_rounds * all.size());
  for (;;) {
    FleetAcceptance accepted = judged(measured, rules);
    std::set<std::string> hosts = open_hosts_of(accepted);
    if (hosts.empty() || measured.size() == most_rounds)
      return {std::move(accepted), host_rounds / static_cast<double>(all.size())};
    std::size_t partners = partners_of(hosts.size(), false);
    for (const std::string& host : all)
      if (partners > 0 && hosts.insert(host).second) --partners;
    host_rounds += static_cast<double>(hosts.size());
    measured.push_back(only_of(rounds[measured.size()], hosts));
  }
}

/// Counts over fleets of one kind of noise.
struct Tally {
  Found accepted, at_margin, lasting, some_rounds, although_faulty;
  int flags = 0;
  double rounds_sound = 0, rounds_faulty = 0;  // of a host, sums

  void add_sound(const Campaign& campaign) {
    rounds_sound += campaign.rounds_of_host;
    accepted.add(campaign.accepted.verdict() == Verdict::pass);
    for (const FleetFinding& one : campaign.accepted.judged.findings) flags += one.is_fault() ? 1 : 0;
  }
  void add_at_margin(const Campaign& campaign) {
    at_margin.add(campaign.accepted.verdict() == Verdict::pass);
  }
  void add_faulty(const Campaign& campaign, const PlantedLoss& loss) {
    rounds_faulty += campaign.rounds_of_host;
    (loss.every == 1 ? lasting : some_rounds).add(is_found(campaign.accepted.judged, loss));
    although_faulty.add(campaign.accepted.verdict() == Verdict::pass);
  }
};

std::vector<Fleet> measured(SyntheticFleet& fleet) {
  std::vector<Fleet> rounds{fleet.fleet()};
  while (rounds.size() < most_rounds) rounds.push_back(fleet.measure_again());
  return rounds;
}

struct Row {
  std::size_t rounds = 0;  // of the fixed campaign
  Tally fixed = {}, sequential = {};
};

Row row_of(const NoiseModel& model, int fleets, std::uint64_t& seed) {
  std::vector<std::vector<Fleet>> sound;
  std::vector<std::size_t> rounds;
  Row row;
  for (std::size_t number = 0; number < fault_kinds.size() * static_cast<std::size_t>(fleets); ++number) {
    SyntheticFleet fleet(model.shape, ++seed);
    sound.push_back(measured(fleet));
    rounds.push_back(rounds_to_decide(sound.back()));
    row.sequential.add_sound(sequential(sound.back()));
  }
  std::ranges::sort(rounds);
  row.rounds = rounds[static_cast<std::size_t>(std::max(1, row.sequential.accepted.found)) - 1];
  for (const std::vector<Fleet>& one : sound) row.fixed.add_sound(fixed(one, row.rounds));
  for (std::size_t number = 0; number < sound.size(); ++number) {
    SyntheticFleet fleet(model.shape, ++seed);
    fleet.plant_one("gpu", FleetRules{}.margin, "", false);
    const std::vector<Fleet> one = measured(fleet);
    row.fixed.add_at_margin(fixed(one, row.rounds));
    row.sequential.add_at_margin(sequential(one));
  }
  for (const FaultKind& kind : fault_kinds)
    for (int number = 0; number < fleets; ++number) {
      SyntheticFleet fleet(model.shape, ++seed);
      const PlantedLoss loss = fleet.plant_one(kind.level, kind.loss, kind.whole_group ? "gemm" : "",
                                               kind.whole_group, kind.every);
      const std::vector<Fleet> one = measured(fleet);
      row.fixed.add_faulty(fixed(one, row.rounds), loss);
      row.sequential.add_faulty(sequential(one), loss);
    }
  return row;
}

void print(const char* noise, const Row& row) {
  const Tally &all = row.fixed, &some = row.sequential;
  const int fleets = all.accepted.of;
  fmt::print(
      "| {} | {} | {:.1f} / {:.1f} | {:.0f} | {} / {} | {:.2f} / {:.2f} | {} / {} | {} / {} | {} / {} | {} / "
      "{} |\n",
      noise, row.rounds, some.rounds_sound / fleets, some.rounds_faulty / fleets,
      100 * (1 - (some.rounds_sound + some.rounds_faulty) / (all.rounds_sound + all.rounds_faulty)),
      all.accepted.percent(), some.accepted.percent(), static_cast<double>(all.flags) / fleets,
      static_cast<double>(some.flags) / fleets, all.at_margin.percent(), some.at_margin.percent(),
      all.lasting.percent(), some.lasting.percent(), all.some_rounds.percent(), some.some_rounds.percent(),
      all.although_faulty.found, some.although_faulty.found);
}

}  // namespace

int main(int argc, char** argv) {
  const int fleets = argc > 1 ? std::atoi(argv[1]) : 1, nodes = argc > 2 ? std::atoi(argv[2]) : 100;
  std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (fleets < 1 || nodes < 1) {
    fmt::print(stderr, "usage: assay-sequential-campaigns [FLEETS [NODES [SEED]]]\n");
    return 2;
  }
  const std::size_t of_noise = fault_kinds.size() * static_cast<std::size_t>(fleets);
  fmt::print(
      "{0} sound fleets and {0} with one fault for each kind of noise, {1} x 8 GPUs, 5 metrics, noise CV\n"
      "1 %, seed {2}; at least {3} and at most {4} rounds; simulated. Where two numbers stand: all hosts in\n"
      "every round / decided hosts leave.\n\n"
      "| noise | rounds of all | rounds of a host, sound / faulty fleets | fewer, % | sound accepted, % "
      "| false flags a sound fleet | accepted with a GPU at its margin, % | found, % "
      "| found of every third round, % | accepted although faulty "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n",
      of_noise, nodes, seed, first_rounds, most_rounds);
  for (const NoiseModel& model : noise_models(nodes)) {
    print(model.name, row_of(model, fleets, seed));
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}
