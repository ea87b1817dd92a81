// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often planted links of a zone of 1,024 GPUs (64 leaves of 16, 16 spines, e_ecmp with one queue pair a
// pair) are named from rounds of a tournament, both directions of each pair measured. A case is repeated with
// other seeds ASSAY_LOCATE_REPEATS times: 100 take one to two minutes a case. Without it, six cases run once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "model/fabric/locate/locate.hpp"
#include "model/fabric/locate/tests/planted.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

int repeats() {
  const char* const text = std::getenv("ASSAY_LOCATE_REPEATS");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

Topology zone() { return ai_zone({.leaves = 64, .gpus_per_leaf = 16, .spines = 16}); }

struct Case {
  const char* name;
  Plan plan;
  double factor = 1;
  int slow = 1;            // links planted
  bool uplinks = false;    // only between switches, which fewer flows cross
  double at_least = 0.99;  // share of repeats in which each of them is named, and one of them first
};

struct Counts {
  int named = 0;     // repeats in which every planted link is named, and one first
  int in_class = 0;  // the same where the planted link may be any member of the class that is named
  int false_names = 0;
  double seconds = 0;  // of a processor
};

std::vector<LinkId> plant(Topology& topology, const Case& one, std::uint64_t seed) {
  std::mt19937_64 random(seed * 7919);
  std::vector<LinkId> planted;
  while (std::ssize(planted) < one.slow) {
    const auto link = static_cast<LinkId>(random() % topology.links());
    if ((one.uplinks && !topology.between_switches(link)) || std::ranges::count(planted, link) > 0) continue;
    topology.degrade(link, one.factor);
    planted.push_back(link);
  }
  return planted;
}

void count(const Incidence& incidence, const Location& location, const std::vector<LinkId>& planted,
           Counts& counts) {
  std::size_t exact = 0, inside = 0;
  for (const Suspect& suspect : location.suspects) {
    const std::vector<ElementId>& members = incidence.members(suspect.named.of_class);
    const bool within = std::ranges::any_of(
        members, [&](ElementId member) { return std::ranges::count(planted, member) > 0; });
    exact += members.size() == 1 && within ? 1 : 0;
    inside += within ? 1 : 0;
  }
  counts.false_names += static_cast<int>(location.suspects.size() - inside);
  const auto first = location.suspects.begin();
  const auto is_first = [&] {
    return std::ranges::any_of(incidence.members(first->named.of_class),
                               [&](ElementId member) { return std::ranges::count(planted, member) > 0; });
  };
  const bool leads = planted.empty() || (first != location.suspects.end() && is_first());
  counts.named += leads && exact >= planted.size() ? 1 : 0;
  counts.in_class += leads && inside >= planted.size() ? 1 : 0;
}

Counts run(const Case& one) {
  Counts counts;
  for (int repeat = 1; repeat <= repeats(); ++repeat) {
    Plan plan = one.plan;
    plan.seed = static_cast<std::uint64_t>(repeat);
    Topology topology = zone();
    const std::vector<LinkId> planted = plant(topology, one, plan.seed);
    const std::vector<Measurement> measurements = measure(topology, plan);
    const Topology sound = zone();
    const std::clock_t start = std::clock();
    const Router router(sound, routing_of(plan));
    const Elements elements(sound);
    const Incidence incidence(router, elements, measurements, plan.concurrency);
    count(incidence, locate(incidence, measurements), planted, counts);
    counts.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  std::printf("%-28s named %d, in class %d, false names %d, of %d; %.2f s each\n", one.name, counts.named,
              counts.in_class, counts.false_names, repeats(), counts.seconds / repeats());
  std::fflush(stdout);
  return counts;
}

bool runs_always(const std::string& name) {
  constexpr std::array always = {"one_90", "two_80", "sound", "together_80", "student3_90", "unknown_80"};
  return std::ranges::count(always, name) > 0;
}

class Tournament : public testing::TestWithParam<Case> {};

TEST_P(Tournament, NamesWhatIsPlanted) {
  if (std::getenv("ASSAY_LOCATE_REPEATS") == nullptr && !runs_always(GetParam().name))
    GTEST_SKIP() << "ASSAY_LOCATE_REPEATS=100 runs it";
  const Counts counts = run(GetParam());
  const int wanted = static_cast<int>(GetParam().at_least * repeats() + 1e-9);
  EXPECT_GE(GetParam().plan.ports_known ? counts.named : counts.in_class, wanted);
  EXPECT_LE(counts.false_names, std::max(1, repeats() / 100));
}

constexpr auto together = Concurrency::together;
constexpr auto student3 = PlantedNoise::student3, lognormal = PlantedNoise::lognormal;

INSTANTIATE_TEST_SUITE_P(
    Zone, Tournament,
    testing::Values(
        Case{"one_50", {}, 0.5}, Case{"one_80", {}, 0.8}, Case{"one_90", {}, 0.9, 1, false, 0.9},
        Case{"uplink_80", {}, 0.8, 1, true}, Case{"uplink_90", {}, 0.9, 1, true, 0.9},
        Case{"two_80", {}, 0.8, 2, false, 0.95}, Case{"two_90", {}, 0.9, 2, false, 0.95},
        Case{"sound", {}, 1, 0}, Case{"together_50", {.concurrency = together}, 0.5},
        Case{"together_80", {.concurrency = together}, 0.8},
        Case{"together_90", {.concurrency = together}, 0.9, 1, false, 0.9},
        Case{"together_two_80", {.concurrency = together}, 0.8, 2, false, 0.95},
        Case{"together_sound", {.concurrency = together}, 1, 0},
        Case{"student3_90", {.noise_kind = student3}, 0.9, 1, false, 0.9},
        Case{"student3_sound", {.noise_kind = student3}, 1, 0},
        Case{"lognormal_90", {.noise_kind = lognormal}, 0.9, 1, false, 0.9},
        Case{"lognormal_sound", {.noise_kind = lognormal}, 1, 0},
        Case{"noise_1_90", {.noise = 0.01}, 0.9, 1, false, 0.9}, Case{"noise_4_80", {.noise = 0.04}, 0.8},
        Case{"noise_4_90", {.noise = 0.04}, 0.9, 1, false, 0.9},
        Case{"eight_rounds_90", {.rounds = 8}, 0.9, 1, false, 0.9},
        Case{"level_97_90", {.level = 0.97}, 0.9, 1, false, 0.9},
        Case{"unknown_50", {.ports_known = false}, 0.5}, Case{"unknown_80", {.ports_known = false}, 0.8},
        Case{"unknown_90", {.ports_known = false}, 0.9, 1, false, 0.9},
        Case{"unknown_sound", {.ports_known = false}, 1, 0},
        Case{"unknown_together_50", {.concurrency = together, .ports_known = false}, 0.5, 1, false, 0},
        Case{"unknown_together_sound", {.concurrency = together, .ports_known = false}, 1, 0}),
    [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace assay::model::fabric::locate
