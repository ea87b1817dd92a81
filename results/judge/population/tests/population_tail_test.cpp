// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A cluster with slow hosts that its median does not see: never as good as a sound one; sound ones are.
#include "results/judge/population/population_tail.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "results/judge/population/population_comparison.hpp"
#include "results/tests/population_store.hpp"
#include "results/tests/synthetic/slow_hosts.hpp"

namespace assay::results::synthetic {
namespace {

using core::Equivalence;
using test::PopulationStore;
using testing::HasSubstr;

constexpr double tail_margin = 0.03;
constexpr std::array tail_shapes{NoiseShape::normal, NoiseShape::student_t3, NoiseShape::skewed};

TEST(PopulationTail, OfAClusterWithSlowHostsIsNeverCalledAsGood) {
  std::uint64_t seed = 20261130;
  for (const NoiseShape shape : tail_shapes)
    for (const int hosts : {40, 64})
      for (const SlowHosts& slow : {SlowHosts{0.1, 1.5}, SlowHosts{0.2, 1.5}, SlowHosts{0.3, 1.3}}) {
        const SlowShares shares =
            slow_shares({.hosts = hosts, .shape = shape, .of_b = slow}, tail_margin, 100, seed++);
        EXPECT_EQ(shares.as_good, 0) << hosts << " " << slow.share;
        if (slow.share < 0.25) {
          EXPECT_GE(shares.median_as_good, 0.95) << hosts << " " << slow.share;
        } else {
          EXPECT_GE(shares.worse, 0.9) << hosts << " " << slow.share;
        }
      }
}

/// Every tenth host slow is the tail's margin.
TEST(PopulationTail, IsMissedAtMostOnceInTwentyWhereATenthOfHostsIsSlow) {
  constexpr int trials = 600;
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / trials);
  std::uint64_t seed = 20261201;
  for (const NoiseShape shape : tail_shapes)
    for (const int hosts : {40, 64}) {
      const SlowShares shares = slow_shares({.hosts = hosts, .shape = shape, .of_b = {0.1, 1.3, true}},
                                            tail_margin, trials, seed++);
      EXPECT_LE(shares.as_good, most) << hosts;
      EXPECT_LE(shares.worse, most) << hosts;
    }
}

/// With 40 hosts no single one may be far out, which skewed noise makes of one in 100.
TEST(PopulationTail, OfSoundClustersIsAsGood) {
  std::uint64_t seed = 20261202;
  for (const NoiseShape shape : tail_shapes) {
    const auto as_good = [&](int hosts, double spread) {
      return slow_shares({.hosts = hosts, .shape = shape, .host_spread = spread}, tail_margin, 200, seed++)
          .as_good;
    };
    EXPECT_GE(as_good(40, 0.005), 0.93) << static_cast<int>(shape);
    EXPECT_GE(as_good(40, 0.01), 0.63) << static_cast<int>(shape);
    EXPECT_GE(as_good(64, 0.01), 0.93) << static_cast<int>(shape);
  }
}

TEST(PopulationTail, OfFewerSlowHostsThanInTheBaselineIsAsGood) {
  EXPECT_GE(slow_shares({.hosts = 64, .of_a = {0.2, 1.5}}, tail_margin, 100, 20261203).as_good, 0.95);
}

TEST(PopulationTail, OfRacksCountsRacks) {
  PopulationPlaces places{{.levels = {"rack"}, .of_host = {}}, {.levels = {"rack"}, .of_host = {}}};
  std::map<std::string, double> a, b;
  std::mt19937_64 random(20261204);
  for (int host = 0; host < 160; ++host) {
    const std::string name = fmt::format("h{}", host);
    places.a.of_host[name] = places.b.of_host[name] = {fmt::format("r{}", host / 16)};
    a[name] = 0.001 * draw_noise(NoiseShape::normal, random);
    // One rack of ten is slow: 16 hosts, and a single fault.
    b[name] = 0.001 * draw_noise(NoiseShape::normal, random) + (host < 16 ? 0.1 : 0);
  }
  const PopulationShift shift = population_shift(a, b, "host", places);
  const JudgedTail tail = judge_tail(*shift.tail, tail_margin);
  EXPECT_FALSE(tail.is_within(tail_margin));
  EXPECT_EQ(tail.level, "rack");
  EXPECT_THAT(tail.slow, testing::ElementsAre("place r0"));
}

class PopulationsWithSlowHosts : public testing::Test {
 protected:
  static PopulationComparison compared(int hosts, int slow, double factor) {
    PopulationStore a("a"), b("b");
    a.add_hosts(hosts, 100);
    b.add_hosts(hosts - slow, 100.1);
    for (int host = hosts - slow; host < hosts; ++host)
      b.add_run(fmt::format("b{}", host), 0, {100 * factor + 0.1 * host, 100 * factor + 0.2 * host});
    return compare_populations(a.store(), b.store(), {});
  }
};

TEST_F(PopulationsWithSlowHosts, AreOpenAndNameThem) {
  const PopulationComparison comparison = compared(40, 4, 1.5);
  EXPECT_EQ(comparison.points[0].verdict, Equivalence::not_enough_data);
  const Verdicts verdicts = verdicts_of(comparison);
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows[1].because, HasSubstr("the median is as good, which is not shown for the slow"));
  EXPECT_THAT(verdicts.rows[1].because, HasSubstr("by more than 3 %: 4 of 40"));
  EXPECT_THAT(verdicts.rows[1].because, HasSubstr("b39, b38, b37, b36"));
}

TEST_F(PopulationsWithSlowHosts, AreWorseWhereAThirdIsSlow) {
  const Verdicts verdicts = verdicts_of(compared(64, 21, 1.3));
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  EXPECT_THAT(verdicts.rows[1].because, HasSubstr("worse: 90 % quantile of hosts"));
}

TEST_F(PopulationsWithSlowHosts, AreNeverBetterByTheirMedianAlone) {
  PopulationStore a("a"), b("b");
  a.add_hosts(40, 100);
  b.add_hosts(32, 95);
  for (int host = 32; host < 40; ++host)
    b.add_run(fmt::format("b{}", host), 0, {150 + 0.1 * host, 150 + 0.2 * host});
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), {});
  EXPECT_LT(comparison.points[0].shift->upper, -std::log1p(tail_margin));
  EXPECT_NE(comparison.points[0].verdict, Equivalence::lower);
  EXPECT_NE(verdicts_of(comparison).verdict, Verdict::pass);
  EXPECT_THAT(verdicts_of(comparison).rows[1].because, HasSubstr("8 of 40"));
}

TEST_F(PopulationsWithSlowHosts, AreOpenInSmallClustersToo) {
  EXPECT_EQ(verdicts_of(compared(12, 0, 1)).verdict, Verdict::pass);
  EXPECT_EQ(verdicts_of(compared(12, 1, 1.3)).verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace assay::results::synthetic
