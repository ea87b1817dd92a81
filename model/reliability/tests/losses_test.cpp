// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Spares, early life, slow ranks and silent corruption, each against a count or a simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "harness/core/statistics/poisson_limit.hpp"
#include "model/reliability/early_life.hpp"
#include "model/reliability/silent_corruption.hpp"
#include "model/reliability/slow_ranks.hpp"
#include "model/reliability/spares.hpp"

namespace assay::model::reliability {
namespace {

std::int64_t least_of(const std::vector<NodeLoss>& losses, double probability) {
  return NodesInRepair(losses).least(probability);
}
double at_most_of(const std::vector<NodeLoss>& losses, std::int64_t spares) {
  return NodesInRepair(losses).at_most(spares);
}

TEST(Spares, AreTheFewestThatReachTheProbability) {
  EXPECT_NEAR(core::poisson_at_most(0, 2), std::exp(-2), 1e-14);
  EXPECT_NEAR(core::poisson_at_most(2, 2), 5 * std::exp(-2), 1e-14);
  // 2,048 nodes at 3.79e-3 a day and 2 days of repair: 15.5 in repair.
  const std::int64_t spares = spares_for(3.79e-3, 2048, 2, 0.99);
  EXPECT_EQ(spares, 25);
  EXPECT_GE(probability_with_spares(3.79e-3, 2048, 2, spares), 0.99);
  EXPECT_LT(probability_with_spares(3.79e-3, 2048, 2, spares - 1), 0.99);
  EXPECT_EQ(spares_for(1e-9, 8, 1, 0.99), 0);
}

TEST(Spares, OfMillionsInRepairAreCountedInSeconds) {
  // Mean 5e6, deviation 2,236: 99 % need 2.33 of it more.
  const std::int64_t spares = least_of({{.per_day = 2.5e6, .repair_days = 2, .nodes = 1}}, 0.99);
  EXPECT_NEAR(static_cast<double>(spares), 5e6 + 2.326 * 2236, 20);
}

TEST(Spares, HoldForRepairsOfAnyDistribution) {
  std::mt19937_64 random(24);
  constexpr double rate = 5, mean_repair = 2;  // 10 in repair
  std::exponential_distribution<double> next(rate);
  std::lognormal_distribution<double> repair(std::log(mean_repair) - 0.5, 1);
  const std::int64_t spares = spares_for(rate, 1, mean_repair, 0.95);
  std::vector<double> back;
  int enough = 0, looks = 0;
  double now = 0, look = 100;
  for (; looks < 20'000; now += next(random)) {
    while (look <= now && looks < 20'000) {
      enough += std::ranges::count_if(back, [&](double at) { return at > look; }) <= spares;
      std::erase_if(back, [&](double at) { return at < look; });
      look += 3;
      ++looks;
    }
    back.push_back(now + repair(random));
  }
  EXPECT_NEAR(enough / 20'000.0, probability_with_spares(rate, 1, mean_repair, spares), 0.006);
}

TEST(Spares, OfNodesAloneAreThoseOfPoisson) {
  for (const double in_repair : {0.01, 15.5, 900.0}) {
    const std::vector<NodeLoss> losses{{.per_day = in_repair, .repair_days = 1}};
    EXPECT_EQ(least_of(losses, 0.99), spares_for(in_repair, 1, 1, 0.99));
    EXPECT_NEAR(at_most_of(losses, 12), probability_with_spares(in_repair, 1, 1, 12), 1e-9);
  }
}

TEST(Spares, OfRacksThatFailAsAWholeAreThoseOfASimulation) {
  const std::vector<NodeLoss> losses{{.per_day = 4, .repair_days = 2},
                                     {.per_day = 0.2, .repair_days = 0.5, .nodes = 16}};
  std::mt19937_64 random(24);
  std::poisson_distribution<std::int64_t> nodes(8), racks(0.1);
  constexpr int looks = 1'000'000;
  const std::int64_t spares = least_of(losses, 0.95);
  int enough = 0;
  for (int look = 0; look < looks; ++look) enough += nodes(random) + 16 * racks(random) <= spares;
  const double expected = at_most_of(losses, spares);
  EXPECT_NEAR(static_cast<double>(enough) / looks, expected,
              3 * std::sqrt(expected * (1 - expected) / looks));
  EXPECT_GT(spares, least_of({losses[0]}, 0.95) + 5) << "a rack's nodes are lost at once";
  EXPECT_LT(at_most_of(losses, spares - 1), 0.95);
}

TEST(Spares, OfABillionGpusTakeNoTime) {
  const std::vector<NodeLoss> nodes{{.per_day = 3.79e-3 * 1.25e8, .repair_days = 2}};
  const double mean = 3.79e-3 * 1.25e8 * 2;
  const auto begin = std::chrono::steady_clock::now();
  NodesInRepair in_repair(nodes);
  const std::int64_t spares = in_repair.least(0.99);
  for (int more = 0; more < 60; ++more) in_repair.at_most(spares + more);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "half a minute before";
  EXPECT_NEAR(static_cast<double>(spares), mean + 2.32635 * std::sqrt(mean) + 0.74, 1);
  EXPECT_NEAR(in_repair.at_most(spares), core::poisson_at_most(spares, mean), 1e-6);
}

TEST(Spares, BeyondWhatIsTabledAreThoseOfTheTable) {
  // Nearly the same nodes in repair: one of these lies below the limit, one above.
  const NodeLoss racks{.per_day = 600, .repair_days = 1, .nodes = 1600};
  NodesInRepair below({{.per_day = 1'000'000, .repair_days = 1}, racks}),
      above({{.per_day = 1'050'000, .repair_days = 1}, racks});
  for (const double probability : {0.01, 0.5, 0.99, 0.999})
    EXPECT_NEAR(static_cast<double>(above.least(probability) - below.least(probability)), 50'000, 60)
        << probability;
  for (const double mean : {3e6, 4.7e9}) {
    const auto spares = static_cast<double>(least_of({{.per_day = mean, .repair_days = 1}}, 0.99));
    EXPECT_NEAR((spares - mean) / std::sqrt(mean), 2.32635, 0.001) << mean;
  }
}

TEST(EarlyLife, FailuresAreSeenInTheFirstDaysAndABurnInPaysWhereTheyAre) {
  const EarlyLife node{.per_day = 2e-3, .early = 0.05, .scale_days = 10, .shape = 0.7};
  EXPECT_NEAR(expected_failures(node, 0, 10), 0.02 + 0.05 * (1 - std::exp(-1)), 1e-12);
  EXPECT_GT(expected_failures(node, 0, 1), 2 * expected_failures(node, 20, 21));
  const Service service{.nodes = 2048, .days = 1000, .days_lost_each = 0.3};
  const double best = best_burn_in_days(node, service, 60);
  EXPECT_GT(best, 1);
  EXPECT_LT(best, 60);
  for (const double other : {0.8 * best, 1.2 * best})
    EXPECT_LE(burn_in_point(node, service, other).days_gained,
              burn_in_point(node, service, best).days_gained);
  EXPECT_EQ(best_burn_in_days({.per_day = 2e-3}, service, 60), 0) << "a constant rate is not burnt in";
}

/// Failures of one node within a window, drawn: each kind in its own way, none by expected_failures().
int drawn_failures(const EarlyLife& node, double from_day, double to_day, std::mt19937_64& random) {
  std::exponential_distribution<double> gap(1);
  std::poisson_distribution<int> weak(node.early);
  std::weibull_distribution<double> early_day(node.shape, node.scale_days);
  int failures = 0;
  const auto count = [&](double day) { failures += from_day < day && day <= to_day; };
  for (double day = gap(random) / node.per_day; day <= to_day; day += gap(random) / node.per_day) count(day);
  for (int left = weak(random); left > 0; --left) count(early_day(random));
  for (double worn = gap(random);; worn += gap(random)) {
    const double day = node.wear_scale_days * std::pow(worn, 1 / node.wear_shape);
    if (day > to_day) return failures;
    count(day);
  }
}

TEST(EarlyLife, ABathtubAgreesWithAMillionSimulatedNodes) {
  const EarlyLife node{
      .per_day = 4e-3, .early = 0.2, .scale_days = 10, .shape = 0.7, .wear_scale_days = 300, .wear_shape = 3};
  std::mt19937_64 random(24);
  constexpr int nodes = 1'000'000;
  double sum = 0, squares = 0;
  for (int one = 0; one < nodes; ++one) {
    const double failures = drawn_failures(node, 3, 203, random);
    sum += failures;
    squares += failures * failures;
  }
  const double mean = sum / nodes, standard_error = std::sqrt((squares / nodes - mean * mean) / nodes);
  EXPECT_NEAR(mean, expected_failures(node, 3, 203), 3 * standard_error);
  EXPECT_LT(standard_error, 2e-3);
}

TEST(EarlyLife, ATableOfBurnInsHasTheBestAndAddsUp) {
  const EarlyLife node{.per_day = 2e-3, .early = 0.05, .scale_days = 10, .shape = 0.7};
  const Service service{.nodes = 2048, .days = 1000, .days_lost_each = 0.3};
  const BurnInChoice choice = burn_in_choice(node, service);
  EXPECT_EQ(choice.points.front().saved, 0);
  double most = 0;
  for (const BurnInPoint& point : choice.points) {
    EXPECT_NEAR(point.interruptions + point.saved, choice.points.front().interruptions, 1e-9);
    EXPECT_NEAR(point.days_gained, 0.3 * point.saved - point.days, 1e-9);
    most = std::max(most, point.days_gained);
  }
  EXPECT_NEAR(burn_in_point(node, service, choice.best_days).days_gained, most, 1e-9);
  EXPECT_GT(most, 0);
}

TEST(EarlyLife, WearMakesALongBurnInPayLess) {
  EarlyLife node{.per_day = 2e-3, .early = 0.05, .scale_days = 10, .shape = 0.7};
  const Service service{.nodes = 2048, .days = 1000, .days_lost_each = 0.3};
  const double best = best_burn_in_days(node, service, 60);
  node.wear_scale_days = 2000;
  EXPECT_LT(best_burn_in_days(node, service, 60), best);
}

TEST(SlowRanks, TheLargestOfNormalVariables) {
  EXPECT_NEAR(expected_largest_normal(1), 0, 1e-9);
  EXPECT_NEAR(expected_largest_normal(2), 1 / std::sqrt(std::acos(-1.0)), 1e-9);
  EXPECT_NEAR(expected_largest_normal(10), 1.53875, 1e-5);
  EXPECT_NEAR(expected_largest_normal(1000), 3.24144, 1e-5);
}

TEST(SlowRanks, OneIsSeenOnceItIsBeyondTheSpreadOfAll) {
  EXPECT_NEAR(step_slowdown(1024, 0, 0.1), 1.1, 1e-12);
  EXPECT_NEAR(step_slowdown(1024, 0.01, 0), 1 + 0.01 * expected_largest_normal(1024), 1e-9);
  EXPECT_NEAR(step_slowdown(1024, 0.001, 0.1), 1.1, 1e-4) << "the slow one decides";
  std::mt19937_64 random(24);
  std::normal_distribution<double> noise;
  double sum = 0;
  constexpr int steps = 20'000, ranks = 64;
  for (int step = 0; step < steps; ++step) {
    double slowest = 1.03 * (1 + 0.02 * noise(random));
    for (int rank = 1; rank < ranks; ++rank) slowest = std::max(slowest, 1 + 0.02 * noise(random));
    sum += slowest;
  }
  EXPECT_NEAR(sum / steps, step_slowdown(ranks, 0.02, 0.03), 3 * 0.012 / std::sqrt(steps));
}

TEST(SilentCorruption, ProbesBoundHowLongItLasts) {
  // Six in 54 days of 2,048 nodes: Llama team (2024).
  Corruption run{.per_node_day = 6 / (54.0 * 2048), .nodes = 2048, .run_days = 54};
  EXPECT_NEAR(probability_clean(run), std::exp(-6), 1e-12);
  EXPECT_NEAR(corrupted_share(run), 1 - (1 - std::exp(-6)) / 6, 1e-12);
  EXPECT_NEAR(mean_days_undetected(run), 27, 1e-12) << "to the end of the run";
  EXPECT_FALSE(is_probed(run));
  run.probe_hours = 24;
  run.probe_minutes = 6;
  EXPECT_TRUE(is_probed(run));
  EXPECT_NEAR(mean_days_undetected(run), 0.5, 1e-12);
  const double a_day = 6 / 54.0;
  EXPECT_NEAR(corrupted_share(run), 1 + std::expm1(-a_day) / a_day, 1e-12);
  EXPECT_NEAR(probe_share(run), 6 / 60.0 / 24, 1e-12);
  run.found_by_a_probe = 0.5;
  run.run_days = 1e4;
  EXPECT_NEAR(mean_days_undetected(run), 1.5, 1e-3);
}

TEST(SilentCorruption, AProbeAtTheEndOrAfterItChangesNothing) {
  const Corruption unprobed{.per_node_day = 6 / (54.0 * 2048), .nodes = 2048, .run_days = 30};
  Corruption probed = unprobed;
  EXPECT_NEAR(corrupted_share(unprobed), 0.711, 5e-4);
  double before = 0;
  for (const double hours : {1.0, 24.0, 500.0, 720.0, 2000.0}) {
    probed.probe_hours = hours;
    EXPECT_GT(corrupted_share(probed) + 1e-12, before) << hours;
    before = corrupted_share(probed);
    EXPECT_LE(before, corrupted_share(unprobed) + 1e-12) << hours;
    EXPECT_LE(mean_days_undetected(probed), 15 + 1e-12) << hours;
    EXPECT_EQ(is_probed(probed), hours <= 720) << hours;
  }
  EXPECT_NEAR(before, corrupted_share(unprobed), 1e-12);
}

TEST(SilentCorruption, HasTheShareAndTheDaysOfSimulatedRuns) {
  const Corruption run{
      .per_node_day = 0.002, .nodes = 100, .run_days = 10, .probe_hours = 36, .found_by_a_probe = 0.7};
  std::mt19937_64 random(24);
  std::exponential_distribution<double> next(run.per_node_day * run.nodes);
  std::uniform_real_distribution<double> uniform;
  double corrupted = 0, undetected = 0, units = 0;
  constexpr int runs = 100'000;
  for (int one = 0; one < runs; ++one) {
    double until = 0;
    for (double now = next(random); now < run.run_days; now += next(random)) {
      double found = 1.5 * std::ceil(now / 1.5);
      while (uniform(random) > run.found_by_a_probe) found += 1.5;
      found = std::min(found, run.run_days);
      corrupted += std::max(0.0, found - std::max(now, until));
      until = std::max(until, found);
      undetected += found - now;
      ++units;
    }
  }
  EXPECT_NEAR(corrupted / runs / run.run_days, corrupted_share(run), 0.002);
  EXPECT_NEAR(undetected / units, mean_days_undetected(run), 0.01);
}

}  // namespace
}  // namespace assay::model::reliability
