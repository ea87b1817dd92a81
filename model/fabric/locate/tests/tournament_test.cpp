// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often the planted link of a zone of 1,024 GPUs is named: ASSAY_LOCATE_REPEATS times in each case.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "model/fabric/locate/locate.hpp"
#include "model/fabric/locate/tests/planted.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

int repeats() {
  const char* const text = std::getenv("ASSAY_LOCATE_REPEATS");
  return text == nullptr ? 2 : std::atoi(text);
}

Topology zone() { return ai_zone({.leaves = 64, .gpus_per_leaf = 16, .spines = 16}); }

struct Counts {
  int first = 0, all = 0, extra = 0, in_class = 0;
  double seconds = 0;
};

Counts run(Plan plan, double factor, int bad, std::uint64_t seed) {
  Counts counts;
  for (int repeat = 0; repeat < repeats(); ++repeat) {
    plan.seed = seed + static_cast<std::uint64_t>(repeat);
    std::mt19937_64 random(plan.seed * 7919);
    Topology topology = zone();
    std::vector<LinkId> planted;
    for (int one = 0; one < bad; ++one) {
      planted.push_back(static_cast<LinkId>(random() % topology.links()));
      topology.degrade(planted.back(), factor);
    }
    const std::vector<Measurement> measurements = measure(topology, plan);
    const Topology sound = zone();
    const Router router(sound, routing_of(plan));
    const auto start = std::chrono::steady_clock::now();
    const Elements elements(sound);
    const Incidence incidence(router, elements, measurements, plan.concurrency);
    const Location location = locate(incidence, measurements);
    counts.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::size_t hit = 0;
    for (const Suspect& suspect : location.suspects) {
      const std::vector<ElementId>& members = incidence.members(suspect.named.of_class);
      const bool exact = std::ranges::count(planted, members.front()) > 0;
      const bool inside =
          std::ranges::any_of(planted, [&](LinkId one) { return std::ranges::count(members, one) > 0; });
      if (&suspect == location.suspects.data()) {
        counts.first += exact;
        counts.in_class += inside;
      }
      hit += inside;
      counts.extra += !inside;
      if (!inside || std::getenv("ASSAY_LOCATE_VERBOSE"))
        std::printf("  seed %d: %s %.3f gain %.1f threshold %.1f chance %.2g members %zu noise %.4f/%g\n",
                    int(plan.seed), elements.name(members.front()).c_str(), suspect.named.factor,
                    suspect.gain, location.threshold, suspect.chance, members.size(), location.noise.scale,
                    location.noise.degrees);
    }
    if (hit < planted.size())
      std::printf("  seed %d missed %s; next %.1f threshold %.1f suspects %zu\n", int(plan.seed),
                  elements.name(planted[0]).c_str(), location.next_gain, location.threshold,
                  location.suspects.size());
    counts.all += hit >= planted.size();
  }
  return counts;
}

TEST(Tournament, Explore) {
  for (const bool known : {true, false})
    for (const Concurrency concurrency : {Concurrency::alone, Concurrency::together})
      for (const double factor : {0.5, 0.8, 0.9}) {
        Plan plan{.concurrency = concurrency, .ports_known = known};
        const Counts c = run(plan, factor, 1, 1);
        std::printf(
            "known %d together %d factor %.1f: first %d in class %d all %d extra %d of %d, %.2f s each\n",
            known, concurrency == Concurrency::together, factor, c.first, c.in_class, c.all, c.extra,
            repeats(), c.seconds / repeats());
      }
}

}  // namespace
}  // namespace assay::model::fabric::locate
