// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults that the judge of fleets finds, and its false alarms, on synthetic fleets with known faults
// under several kinds of noise; the rules in use for comparison, on the same data. Prints Markdown. Usage:
// assay-detector-report-card [FLEETS] [NODES] [SEED]
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/statistics/statistics.hpp"
#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/series/round_gaps.hpp"
#include "results/tests/synthetic/rules_in_use.hpp"
#include "results/tests/synthetic/synthetic_fleet.hpp"

namespace {

using namespace assay::results;

constexpr std::array<std::size_t, 3> fresh_rounds{2, 4, 9};
constexpr int sound_for_each = 3;  // sound fleets for each with a fault of one kind

struct Tally {
  std::array<Found, fresh_rounds.size()> ours, accepted;  // whole fleets accepted with the fault in them
  std::map<std::string, std::array<Found, 2>> rules;      // on the first look, on medians of all rounds
};

struct SoundTally {
  std::array<int, fresh_rounds.size()> flags{}, accepted{}, suspects{}, undecided{}, values{};
  std::map<std::string, std::array<int, 2>> rules;
  int fleets = 0;
};

struct Rounds {
  Fleet first;
  std::vector<Fleet> again;
};

Rounds measured(SyntheticFleet& fleet) {
  Rounds rounds{fleet.fleet(), {}};
  for (std::size_t round = 0; round < fresh_rounds.back(); ++round)
    rounds.again.push_back(fleet.measure_again());
  return rounds;
}

FleetAcceptance judged(const Rounds& rounds, std::size_t fresh) {
  MeasuredFleet measured;
  measured.first = rounds.first;
  measured.again.assign(rounds.again.begin(), rounds.again.begin() + static_cast<std::ptrdiff_t>(fresh));
  note_gaps(measured, std::vector<bool>(fresh + 1, false));
  return accept(std::move(measured), {});
}

Fleet medians_of(const Rounds& rounds) {
  Fleet medians = rounds.first;
  std::vector<double> values;
  for (std::size_t cell = 0; cell < medians.values.size(); ++cell) {
    values.assign(1, rounds.first.values[cell]);
    for (const Fleet& round : rounds.again)
      if (!std::isnan(round.values[cell])) values.push_back(round.values[cell]);
    medians.values[cell] = assay::core::quantile_of(values, 0.5);
  }
  return medians;
}

/// A rule finds a fault of a place where it flags any GPU there.
bool is_found(const Flags& flags, const Fleet& fleet, const PlantedLoss& loss) {
  for (const auto& [metric, unit] : flags) {
    const FleetUnit& one = fleet.units[unit];
    if (metric != loss.metric && !loss.whole_group) continue;
    if (loss.level == fleet.unit_level && one.name == loss.place) return true;
    for (std::size_t level = 0; level < fleet.levels.size(); ++level)
      if (fleet.levels[level] == loss.level && one.places[level] == loss.place) return true;
  }
  return false;
}

class ReportCard {
 public:
  ReportCard(int fleets, int nodes, std::uint64_t seed)
      : fleets_(fleets), models_(noise_models(nodes)), seed_(seed) {}

  void run() {
    for (const NoiseModel& model : models_)
      for (int fleet = 0; fleet < fleets_; ++fleet) {
        for (int time = 0; time < sound_for_each; ++time) judge_sound(model);
        for (const FaultKind& kind : fault_kinds) judge_one_fault(model, kind);
      }
  }

  void print() const {
    print_each("Found", "at their level and place", &Tally::ours);
    print_each("Accepted although faulty", "in fleets that were accepted", &Tally::accepted);
    print_rules();
    print_sound();
  }

 private:
  SyntheticFleet fresh(const NoiseModel& model) { return {model.shape, seed_ + 7919 * ++drawn_}; }

  void judge_sound(const NoiseModel& model) {
    SyntheticFleet fleet = fresh(model);
    const Rounds rounds = measured(fleet);
    SoundTally& tally = sound_[model.name];
    ++tally.fleets;
    for (std::size_t at = 0; at < fresh_rounds.size(); ++at) {
      const FleetAcceptance accepted = judged(rounds, fresh_rounds[at]);
      const FleetJudgement& judgement = accepted.judged;
      tally.accepted[at] += accepted.verdict() == Verdict::pass ? 1 : 0;
      int flags = 0;
      std::set<std::string> hosts;
      for (const FleetFinding& one : judgement.findings) {
        flags += one.is_fault() ? 1 : 0;
        if (!one.is_fault()) hosts.insert(one.place.substr(0, one.place.find('/')));
      }
      tally.flags[at] += flags;
      tally.suspects[at] += static_cast<int>(hosts.size());
      for (const FleetLook& look : judgement.looks) {
        tally.undecided[at] += static_cast<int>(look.undecided);
        tally.values[at] += static_cast<int>(look.places);
      }
    }
    const Fleet medians = medians_of(rounds);
    for (const RuleInUse& rule : rules_in_use()) {
      tally.rules[std::string(rule.name)][0] += static_cast<int>(rule.flag(rounds.first).size());
      tally.rules[std::string(rule.name)][1] += static_cast<int>(rule.flag(medians).size());
    }
  }

  void judge_one_fault(const NoiseModel& model, const FaultKind& kind) {
    SyntheticFleet fleet = fresh(model);
    fleet.plant_one(kind.level, kind.loss, kind.whole_group ? "gemm" : "", kind.whole_group, kind.every);
    const Rounds rounds = measured(fleet);
    Tally& tally = tallies_[{model.name, kind.name}];
    for (std::size_t at = 0; at < fresh_rounds.size(); ++at) {
      const FleetAcceptance accepted = judged(rounds, fresh_rounds[at]);
      tally.ours[at].add(is_found(accepted.judged, fleet.planted().front()));
      tally.accepted[at].add(accepted.verdict() == Verdict::pass);
    }
    const Fleet medians = medians_of(rounds);
    for (const RuleInUse& rule : rules_in_use()) {
      auto& found = tally.rules[std::string(rule.name)];
      found[0].add(is_found(rule.flag(rounds.first), rounds.first, fleet.planted().front()));
      found[1].add(is_found(rule.flag(medians), medians, fleet.planted().front()));
    }
  }

  /// The last column is the mean without silicon, which is not noise of a measurement.
  void print_each(const char* title, const char* what,
                  std::array<Found, fresh_rounds.size()> Tally::* part) const {
    fmt::print("### {}\n\nPer cent {} after 2 / 4 / 9 fresh rounds; one fault a fleet.\n\n| fault |", title,
               what);
    for (const NoiseModel& model : models_) fmt::print(" {} |", model.name);
    fmt::print(" mean of the first {} |\n|---|", models_.size() - 1);
    for (std::size_t at = 0; at <= models_.size(); ++at) fmt::print("---|");
    for (const FaultKind& kind : fault_kinds) {
      fmt::print("\n| {} |", kind.name);
      std::array<Found, fresh_rounds.size()> mean;
      const auto print = [](const auto& found) {
        fmt::print(" {} / {} / {} |", found[0].percent(), found[1].percent(), found[2].percent());
      };
      for (const NoiseModel& model : models_) {
        const auto& found = tallies_.at({model.name, kind.name}).*part;
        print(found);
        if (&model == &models_.back()) break;
        for (std::size_t at = 0; at < mean.size(); ++at)
          mean[at].found += found[at].found, mean[at].of += found[at].of;
      }
      print(mean);
    }
    fmt::print("\n\n");
  }

  void print_rules() const {
    fmt::print(
        "### Rules in use, the same single faults\n\nPer cent found, any GPU flagged inside counting, on the "
        "first look / on "
        "medians of all ten rounds; mean over the noise models.\n\n| fault |");
    for (const RuleInUse& rule : rules_in_use()) fmt::print(" {} |", rule.name);
    fmt::print("\n|---|");
    for (std::size_t at = 0; at < rules_in_use().size(); ++at) fmt::print("---|");
    for (const FaultKind& kind : fault_kinds) {
      fmt::print("\n| {} |", kind.name);
      for (const RuleInUse& rule : rules_in_use()) {
        std::array<Found, 2> sum;
        for (const NoiseModel& model : models_) {
          const auto& found = tallies_.at({model.name, kind.name}).rules.at(std::string(rule.name));
          for (std::size_t at = 0; at < sum.size(); ++at)
            sum[at].found += found[at].found, sum[at].of += found[at].of;
        }
        fmt::print(" {} / {} |", sum[0].percent(), sum[1].percent());
      }
    }
    fmt::print("\n\n");
  }

  void print_sound() const {
    fmt::print(
        "### Sound fleets\n\n{} for each kind of noise, after 2 / 4 / 9 fresh rounds; the rules in use on "
        "the first look / on medians of all ten rounds.\n\n"
        "| noise | false flags a fleet | accepted, % | hosts with a suspect | not yet shown to be within the "
        "margin, % |",
        sound_.begin()->second.fleets);
    for (const RuleInUse& rule : rules_in_use()) fmt::print(" flags of {} |", rule.name);
    fmt::print("\n|---|---|---|---|---|");
    for (std::size_t at = 0; at < rules_in_use().size(); ++at) fmt::print("---|");
    for (const NoiseModel& model : models_) {
      const SoundTally& tally = sound_.at(model.name);
      const auto each = [&](int sum) { return static_cast<double>(sum) / tally.fleets; };
      const auto open = [&](std::size_t at) {
        return tally.values[at] == 0 ? "-"
                                     : fmt::format("{:.3f}", 100.0 * tally.undecided[at] / tally.values[at]);
      };
      fmt::print(
          "\n| {} | {:.3f} / {:.3f} / {:.3f} | {:.0f} / {:.0f} / {:.0f} | {:.1f} / {:.1f} / {:.1f} | {} "
          "/ {} / {} |",
          model.name, each(tally.flags[0]), each(tally.flags[1]), each(tally.flags[2]),
          100 * each(tally.accepted[0]), 100 * each(tally.accepted[1]), 100 * each(tally.accepted[2]),
          each(tally.suspects[0]), each(tally.suspects[1]), each(tally.suspects[2]), open(0), open(1),
          open(2));
      for (const RuleInUse& rule : rules_in_use()) {
        const auto& flags = tally.rules.at(std::string(rule.name));
        fmt::print(" {:.1f} / {:.1f} |", each(flags[0]), each(flags[1]));
      }
    }
    fmt::print("\n");
  }

  int fleets_;
  std::vector<NoiseModel> models_;
  std::uint64_t seed_, drawn_ = 0;
  std::map<std::pair<std::string, std::string>, Tally> tallies_;  // by noise and fault
  std::map<std::string, SoundTally> sound_;
};

}  // namespace

int main(int argc, char** argv) {
  const int fleets = argc > 1 ? std::atoi(argv[1]) : 10, nodes = argc > 2 ? std::atoi(argv[2]) : 400;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (fleets < 1 || nodes < 1) {
    fmt::print(stderr, "usage: assay-detector-report-card [FLEETS [NODES [SEED]]]\n");
    return 2;
  }
  fmt::print(
      "{} fleets of {} x 8 GPUs for each cell and kind of noise, 5 metrics, noise CV 1 %, seed {}; "
      "simulated.\n\n",
      fleets, nodes, seed);
  ReportCard card(fleets, nodes, seed);
  card.run();
  card.print();
  return EXIT_SUCCESS;
}
