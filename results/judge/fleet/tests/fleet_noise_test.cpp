// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fleets whose units differ in noise: none of them is slow.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {
namespace {

constexpr int noisy_hosts = 24, gpus_of_host = 8;
constexpr double usual_noise = 0.004;  // of a run

struct UnequalNoise {
  std::function<double(std::mt19937_64&, int unit)> times = [](std::mt19937_64&, int) { return 1.0; };
  std::function<double(int host, int gpu)> loss = [](int, int) { return 0.0; };
  int runs = 5, metrics = 3;
};

/// Independent normal noise of each run and metric, `times` the usual one in all runs of a unit.
FleetAcceptance judged(const UnequalNoise& how, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> noise;
  for (int unit = 0; unit < noisy_hosts * gpus_of_host; ++unit)
    noise.push_back(usual_noise * how.times(random, unit));
  MeasuredFleet measured;
  for (int run = 0; run < how.runs; ++run) {
    Fleet fleet;
    fleet.levels = {"host"};
    for (int metric = 0; metric < how.metrics; ++metric)
      fleet.metrics.push_back(
          {"metric " + std::to_string(metric), "group " + std::to_string(metric / 4), false});
    for (int unit = 0; unit < noisy_hosts * gpus_of_host; ++unit) {
      const std::string host = "h" + std::to_string(unit / gpus_of_host);
      fleet.units.push_back({host + "/gpu" + std::to_string(unit % gpus_of_host), "x", {host}});
    }
    for (int metric = 0; metric < how.metrics; ++metric)
      for (int unit = 0; unit < noisy_hosts * gpus_of_host; ++unit)
        fleet.values.push_back(std::exp(noise[static_cast<std::size_t>(unit)] * normal(random)) /
                               (1 - how.loss(unit / gpus_of_host, unit % gpus_of_host)));
    (run == 0 ? measured.first : measured.again.emplace_back()) = std::move(fleet);
  }
  return accept(measured, {});
}

int failed(const FleetAcceptance& acceptance) {
  int count = 0;
  for (const FleetFinding& one : acceptance.judged.findings) count += one.is_fault() ? 1 : 0;
  return count;
}

/// Fleets of so many in which any unit or host fails.
int fleets_that_fail(const UnequalNoise& how, int fleets, unsigned seed) {
  int count = 0;
  for (int fleet = 0; fleet < fleets; ++fleet)
    count += failed(judged(how, seed + static_cast<unsigned>(fleet))) > 0 ? 1 : 0;
  return count;
}

TEST(FleetOfUnequalNoise, FailsNoSoundGpuThatIsNoisierThanItsEquals) {
  for (const int runs : {5, 10}) {
    const UnequalNoise tenth{.times = [](std::mt19937_64&, int unit) { return unit % 10 == 3 ? 10.0 : 1.0; },
                             .runs = runs};
    EXPECT_LE(fleets_that_fail(tenth, 8, 100), 1) << runs;
    const UnequalNoise one{.times = [](std::mt19937_64&, int unit) { return unit == 77 ? 10.0 : 1.0; },
                           .runs = runs};
    EXPECT_LE(fleets_that_fail(one, 8, 200), 1) << runs;
  }
}

TEST(FleetOfUnequalNoise, FailsNoSoundGpuWhereEachHasANoiseOfItsOwn) {
  for (const double spread : {0.7, 1.0})
    for (const int runs : {5, 10}) {
      const UnequalNoise drawn{
          .times = [=](std::mt19937_64& random,
                       int) { return std::exp(spread * std::normal_distribution<double>()(random)); },
          .runs = runs};
      EXPECT_LE(fleets_that_fail(drawn, 6, 300), 1) << spread << " " << runs;
    }
}

TEST(FleetOfUnequalNoise, FailsNoSoundHostThatIsNoisierThanItsEquals) {
  for (const int runs : {5, 10}) {
    const UnequalNoise host{
        .times = [](std::mt19937_64&, int unit) { return unit / gpus_of_host % 10 == 4 ? 4.0 : 1.0; },
        .runs = runs};
    EXPECT_LE(fleets_that_fail(host, 8, 400), 1) << runs;
  }
}

/// A group of metrics is one series of three values, which scatter little by chance in some noisy place.
TEST(FleetOfUnequalNoise, FailsNoSoundGpuAfterThreeRunsBecauseItsValuesHappenToAgree) {
  const UnequalNoise tenth{.times = [](std::mt19937_64&, int unit) { return unit % 10 == 3 ? 10.0 : 1.0; },
                           .runs = 3,
                           .metrics = 5};
  EXPECT_LE(fleets_that_fail(tenth, 30, 700), 2);
  const UnequalNoise drawn{.times = [](std::mt19937_64& random,
                                       int) { return std::exp(std::normal_distribution<double>()(random)); },
                           .runs = 3,
                           .metrics = 5};
  EXPECT_LE(fleets_that_fail(drawn, 30, 800), 2);
}

TEST(FleetOfUnequalNoise, FailsAHostAtItsMarginRarely) {
  const UnequalNoise at_margin{.loss = [](int host, int) { return host == 5 ? 0.015 : 0.0; }, .metrics = 16};
  EXPECT_LE(fleets_that_fail(at_margin, 8, 500), 1);
}

TEST(FleetOfUnequalNoise, FailsASlowGpuOfUsualNoise) {
  for (const int runs : {3, 5, 10}) {
    const UnequalNoise equal{.loss = [](int host, int gpu) { return host == 3 && gpu == 1 ? 0.05 : 0.0; },
                             .runs = runs};
    EXPECT_EQ(fleets_that_fail(equal, 6, 600), 6) << runs;
    UnequalNoise beside_a_noisy_one = equal;
    beside_a_noisy_one.times = [](std::mt19937_64&, int unit) { return unit == 77 ? 10.0 : 1.0; };
    EXPECT_GE(fleets_that_fail(beside_a_noisy_one, 6, 700), 5) << runs;
  }
}

}  // namespace
}  // namespace assay::results
