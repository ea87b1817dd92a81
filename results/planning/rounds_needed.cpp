// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/planning/rounds_needed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "harness/core/process/side_by_side.hpp"
#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {
namespace {

/// Steps of about a fifth: the answer is not sharper than the share of fleets behind it.
constexpr int rounds_tried[] = {3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 21, 25, 30, 36, 43, 51, 60};

struct Outcome {
  bool sound_passes = false, slow_fails = false, slow_passes = false;
};

class Planner {
 public:
  Planner(const PlannedFleet& planned, const FleetRules& rules, const PlanningRules& planning)
      : planned_(planned), rules_(rules), planning_(planning), slow_(slow_unit(planned)) {}

  TriedRounds try_rounds(int rounds) const {
    TriedRounds tried{.rounds = rounds, .sound_passes = {}, .slow_fails = {}, .slow_passes = {}};
    while (tried.sound_passes.of < planning_.fleets && !is_hopeless(tried)) add_some(tried);
    return tried;
  }

  bool decides(const TriedRounds& tried) const {
    return tried.sound_passes.of == planning_.fleets && !is_hopeless(tried);
  }

 private:
  /// A few fleets at a time, so that hopeless rounds cost little.
  void add_some(TriedRounds& tried) const {
    constexpr int at_a_time = 8;
    const int first = tried.sound_passes.of, count = std::min(at_a_time, planning_.fleets - first);
    std::vector<Outcome> outcomes(static_cast<std::size_t>(count));
    core::side_by_side(outcomes.size(), [&](std::size_t at) {
      outcomes[at] = judged(tried.rounds, planning_.seed + 2 * (static_cast<std::uint64_t>(first) + at));
    });
    for (const Outcome& one : outcomes) {
      tried.sound_passes.add(one.sound_passes);
      tried.slow_fails.add(one.slow_fails);
      tried.slow_passes.add(one.slow_passes);
    }
  }

  Outcome judged(int rounds, std::uint64_t seed) const {
    const FleetAcceptance sound = accept(simulated_rounds(planned_, rounds, {}, seed), rules_);
    const FleetAcceptance slow = accept(simulated_rounds(planned_, rounds, planning_.loss, seed + 1), rules_);
    return {.sound_passes = sound.verdict() == Verdict::pass,
            .slow_fails = std::ranges::any_of(
                slow.judged.findings,
                [&](const FleetFinding& finding) { return finding.is_fault() && finding.place == slow_; }),
            .slow_passes = slow.verdict() == Verdict::pass};
  }

  bool is_hopeless(const TriedRounds& tried) const {
    const double allowed = (1 - planning_.power) * planning_.fleets;
    const auto misses = [](const Share& share) { return static_cast<double>(share.of - share.count); };
    return std::max(misses(tried.sound_passes), misses(tried.slow_fails)) > allowed + 1e-9;
  }

  const PlannedFleet& planned_;
  const FleetRules& rules_;
  const PlanningRules& planning_;
  std::string slow_;
};

}  // namespace

RoundsNeeded rounds_needed(const PlannedFleet& planned, const FleetRules& rules,
                           const PlanningRules& planning, const Tried& tried) {
  if (planning.loss <= rules.margin)
    throw std::runtime_error(fmt::format("a loss of {:g} % is within the margin of {:g} %: expected more",
                                         100 * planning.loss, 100 * rules.margin));
  const Planner planner(planned, rules, planning);
  RoundsNeeded needed;
  for (const int rounds : rounds_tried) {
    if (rounds > planning.most_rounds) break;
    if (tried) tried(rounds);
    needed.tried.push_back(planner.try_rounds(rounds));
    if (!planner.decides(needed.tried.back())) continue;
    needed.rounds = rounds;
    break;
  }
  return needed;
}

}  // namespace assay::results
