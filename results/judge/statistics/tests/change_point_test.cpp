// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/change_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

namespace assay::results {
namespace {

using Noise = std::function<double(std::mt19937_64&)>;

struct KnownNoise {
  const char* name;
  Noise of_run;  // about 1 wide
};

double normal_of(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

const KnownNoise noises[] = {
    {"normal", normal_of},
    {"student3", [](std::mt19937_64& random) { return std::student_t_distribution<double>(3)(random); }},
    {"lognormal", [](std::mt19937_64& random) { return std::exp(0.8 * normal_of(random)); }},
    {"contaminated",
     [](std::mt19937_64& random) {
       const bool is_wild = std::uniform_real_distribution<double>()(random) < 0.08;
       return normal_of(random) * (is_wild ? 10 : 1);
     }},
    {"quantised", [](std::mt19937_64& random) { return std::round(normal_of(random)); }},
};

class ChangePointNoise : public testing::TestWithParam<KnownNoise> {};

/// In 6,000 series of 8 to 30 runs: within three standard errors of the level, or below it.
TEST_P(ChangePointNoise, SoundSeriesChangeNoMoreOftenThanTheLevelSays) {
  std::mt19937_64 random(11);
  constexpr int tries = 6'000;
  for (const double level : {0.05, 0.01, 0.001}) {
    int changed = 0;
    for (int at = 0; at < tries; ++at) {
      std::vector<RunLevel> runs(8 + static_cast<std::size_t>(at) % 23);
      for (RunLevel& run : runs) run = {0.01 * GetParam().of_run(random), 1e-4};
      changed += level_history(runs, {.change = level}).changes.empty() ? 0 : 1;
    }
    EXPECT_LE(changed, tries * level + 3 * std::sqrt(tries * level)) << level;
  }
}

/// A wild run in twelve is no change: in long series too.
TEST_P(ChangePointNoise, LongSoundSeriesHoldTheLevelUnlessSkewed) {
  if (std::string(GetParam().name) == "lognormal") GTEST_SKIP() << "held up to 30 runs only";
  std::mt19937_64 random(21);
  constexpr int tries = 3'000;
  for (const double level : {0.05, 0.01}) {
    int changed = 0;
    for (int at = 0; at < tries; ++at) {
      std::vector<RunLevel> runs(60);
      for (RunLevel& run : runs) run = {0.01 * GetParam().of_run(random), 1e-4};
      changed += level_history(runs, {.change = level}).changes.empty() ? 0 : 1;
    }
    EXPECT_LE(changed, tries * level + 3 * std::sqrt(tries * level)) << level;
  }
}

/// 3 % slower in runs that scatter by 0.5 %: found within a run of its place.
TEST_P(ChangePointNoise, AChangeOfSixDeviationsIsFoundWhereItIs) {
  std::mt19937_64 random(12);
  int found = 0;
  constexpr int tries = 400;
  for (int at = 0; at < tries; ++at) {
    std::vector<RunLevel> runs(20);
    for (std::size_t run = 0; run < runs.size(); ++run)
      runs[run] = {0.005 * GetParam().of_run(random) + (run < 13 ? 0 : 0.03), 1e-4};
    const LevelHistory history = level_history(runs, {});
    found += !history.changes.empty() && history.changes.front().at >= 12 &&
                     history.changes.front().at <= 14 && history.changes.front().lower > 0
                 ? 1
                 : 0;
  }
  EXPECT_GE(found, tries * (std::string(GetParam().name) == "contaminated" ? 0.5 : 0.8));
}

/// Runs of 1 % that became 3 % slower, in one step before the last three or a half of them, or steadily.
TEST_P(ChangePointNoise, ARiseOfTheMarginIsExcludedInFivePercentAtMost) {
  std::mt19937_64 random(13);
  constexpr int tries = 2'000;
  constexpr double margin = 0.03;
  for (const std::size_t runs_made : {8U, 12U, 30U})
    for (const std::size_t slow_from : {runs_made - 3, runs_made / 2, std::size_t{0}}) {
      int excluded = 0;
      for (int at = 0; at < tries; ++at) {
        std::vector<RunLevel> runs(runs_made);
        for (std::size_t run = 0; run < runs_made; ++run) {
          const double risen = slow_from == 0 ? static_cast<double>(run) / static_cast<double>(runs_made - 1)
                               : run < slow_from ? 0
                                                 : 1;
          runs[run] = {0.01 * GetParam().of_run(random) + margin * risen, 1e-4};
        }
        const LevelHistory history = level_history(runs, {.change = 1e-6});
        excluded += history.changes.empty() && history.upper < margin ? 1 : 0;
      }
      EXPECT_LE(excluded, tries * 0.05 + 3 * std::sqrt(tries * 0.05)) << runs_made << " " << slow_from;
    }
}

INSTANTIATE_TEST_SUITE_P(Noises, ChangePointNoise, testing::ValuesIn(noises),
                         [](const auto& tried) { return tried.param.name; });

/// Runs of 60 series of a host, each as close to the run before it as r says.
TEST(ChangePoint, RunsThatAgreeWithTheirNeighboursCountAsFewer) {
  std::mt19937_64 random(13);
  for (const double r : {0.0, 0.3, 0.6}) {
    constexpr int hosts = 60, of_host = 60;
    int changed = 0;
    double mean = 0;
    for (int host = 0; host < hosts; ++host) {
      std::vector<std::vector<RunLevel>> series(of_host, std::vector<RunLevel>(20));
      for (std::vector<RunLevel>& runs : series) {
        double last = normal_of(random) / std::sqrt(1 - r * r);
        for (RunLevel& run : runs) run = {0.01 * (last = r * last + normal_of(random)), 1e-4};
      }
      const double correlation = correlation_of_runs(series);
      mean += correlation / hosts;
      for (const std::vector<RunLevel>& runs : series)
        changed += level_history(runs, {}, correlation).changes.empty() ? 0 : 1;
    }
    EXPECT_NEAR(mean, r, 0.15);
    EXPECT_LE(changed, 0.01 * hosts * of_host + 3 * std::sqrt(0.01 * hosts * of_host)) << r;
  }
}

/// As after an update of a driver.
TEST(ChangePoint, AChangeOfAllSeriesIsNotTakenForCorrelation) {
  std::mt19937_64 random(14);
  std::vector<std::vector<RunLevel>> series(60, std::vector<RunLevel>(20));
  for (std::vector<RunLevel>& runs : series)
    for (std::size_t run = 0; run < runs.size(); ++run)
      runs[run] = {0.002 * normal_of(random) + (run < 12 ? 0 : 0.03), 1e-4};
  const double correlation = correlation_of_runs(series);
  EXPECT_LT(correlation, 0.1);
  for (const std::vector<RunLevel>& runs : series) {
    const LevelHistory history = level_history(runs, {.change = 0.01 / 60}, correlation);
    ASSERT_EQ(history.changes.size(), 1U);
    EXPECT_EQ(history.changes.front().at, 12U);
  }
}

TEST(ChangePoint, ADriftIsNotTakenForCorrelation) {
  std::mt19937_64 random(15);
  std::vector<std::vector<RunLevel>> series(60, std::vector<RunLevel>(20));
  for (std::vector<RunLevel>& runs : series)
    for (std::size_t run = 0; run < runs.size(); ++run)
      runs[run] = {0.001 * normal_of(random) + 0.003 * static_cast<double>(run), 1e-4};
  EXPECT_LT(correlation_of_runs(series), 0.1);
}

/// Later less earlier, wherever the change is.
TEST(ChangePoint, AShiftThatIsNoChangeHasItsSign) {
  for (const std::size_t at : {std::size_t{3}, std::size_t{9}}) {
    std::vector<RunLevel> runs(12, {0, 0.01});
    for (std::size_t run = at; run < runs.size(); ++run) runs[run].log = 0.01;
    const LevelHistory history = level_history(runs, {});
    ASSERT_TRUE(history.changes.empty());
    EXPECT_NEAR(history.largest.shift, 0.01, 1e-12) << at;
  }
}

TEST(ChangePoint, SeveralChangesAreFoundInOrder) {
  std::vector<RunLevel> runs;
  for (const double level : {0.0, 0.05, 0.02})
    for (int run = 0; run < 8; ++run) runs.push_back({level + 0.001 * (run % 3), 1e-4});
  const LevelHistory history = level_history(runs, {});
  ASSERT_EQ(history.changes.size(), 2U);
  EXPECT_EQ(history.changes[0].at, 8U);
  EXPECT_EQ(history.changes[1].at, 16U);
  EXPECT_GT(history.changes[0].lower, 0);
  EXPECT_LT(history.changes[1].upper, 0);
  ASSERT_EQ(history.since.size(), 2U) << "now against each earlier part";
  EXPECT_NEAR(history.since[0].shift, 0.02, 0.001);
  EXPECT_NEAR(history.since[1].shift, -0.03, 0.001);
}

/// Runs that agree to the last digit say no more than each knows by itself.
TEST(ChangePoint, ADifferenceWithinTheErrorOfEachRunIsNoChange) {
  std::vector<RunLevel> runs(12, {0, 0.01});
  for (std::size_t run = 6; run < 12; ++run) runs[run].log = 0.01;
  const LevelHistory history = level_history(runs, {});
  EXPECT_TRUE(history.changes.empty());
  EXPECT_NEAR(std::abs(history.largest.shift), 0.01, 1e-12);
  EXPECT_GT(history.upper, 0.01);
}

TEST(ChangePoint, FewRunsAreNoHistory) {
  EXPECT_THROW(level_history(std::vector<RunLevel>(7), {}), std::runtime_error);
}

}  // namespace
}  // namespace assay::results
