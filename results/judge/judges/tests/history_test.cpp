// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Histories of a host over made-up runs: what the judge says, and since when.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "results/judge/tests/ask_judge.hpp"
#include "results/store/doubts/context_changes.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

constexpr const char* old_driver = "570.86.15";
constexpr const char* new_driver = "580.65.06";

struct MadeRun {
  double slower = 1;
  std::string driver = old_driver;
};

/// Two points a run, of which the second is as the first; noise of 0.2 % between runs.
Store store_of(const std::vector<MadeRun>& runs, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.002);
  Store store("");
  for (std::size_t number = 0; number < runs.size(); ++number) {
    test::RunBuilder builder(fmt::format("run-{}", number));
    builder.begin(0, "memory");
    for (const std::int64_t bytes : {1024, 4096})
      builder.measured(builder.point("memory.host.copy", {{"bytes", bytes}}),
                       1e-3 * runs[number].slower * std::exp(noise(random)),
                       {"time_us", "us", [](double s) { return s * 1e6; }});
    builder.end();
    std::vector<Record> records = builder.take();
    for (Record& record : records) {
      if (auto* context = std::get_if<ContextRecord>(&record)) {
        context->started = fmt::format("2026-11-{:02}T02:00:00Z", number + 1);
        context->machine["versions"]["nvidia driver"] = runs[number].driver;
        context->machine["memory"]["available_bytes"] = 1000 + number;
      }
    }
    store.add(records);
  }
  return store;
}

Verdicts judged(const std::vector<MadeRun>& runs, double margin = 0.02, unsigned seed = 1) {
  const Store store = store_of(runs, seed);
  Evidence evidence{store};
  evidence.order.shares["history"] = margin;
  std::vector<Judged> said = test::ask_judge("history", evidence);
  EXPECT_EQ(said.size(), 1U);
  return said.front().verdicts;
}

std::vector<MadeRun> runs_of(std::size_t before, std::size_t after, const MadeRun& later) {
  std::vector<MadeRun> runs(before);
  runs.resize(before + after, later);
  return runs;
}

TEST(History, ADriverThatCostThreePercentIsNamed) {
  const Verdicts verdicts = judged(runs_of(9, 6, {1.03, new_driver}));
  ASSERT_EQ(verdicts.rows.size(), 3U) << "all points, and each";
  EXPECT_EQ(verdicts.rows.front().metric, "all points history");
  for (const VerdictRow& row : verdicts.rows) {
    EXPECT_EQ(row.verdict, Verdict::fail);
    EXPECT_NEAR(row.value->value, 3, 0.5);
    EXPECT_THAT(row.because,
                HasSubstr("from run run-9 (2026-11-10T02:00:00Z) on, after 9 runs; then changed: "
                          "versions.nvidia driver: 570.86.15 -> 580.65.06"));
    EXPECT_EQ(row.action, Action::configure);
  }
}

TEST(History, WithoutARecordedChangeItSaysSo) {
  const Verdicts verdicts = judged(runs_of(9, 6, {1.03, old_driver}));
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("no recorded difference from the run before"));
  EXPECT_EQ(verdicts.rows.front().action, Action::monitor);
}

TEST(History, ASoundOnePassesAndFasterIsNoFault) {
  EXPECT_EQ(judged(runs_of(20, 0, {})).verdict, Verdict::pass);
  EXPECT_EQ(judged(runs_of(20, 20, {0.95, new_driver})).verdict, Verdict::pass);
}

TEST(History, ASlowdownThatIsUndonePassesWithItsStory) {
  std::vector<MadeRun> runs = runs_of(8, 6, {1.05, new_driver});
  runs.resize(20);
  EXPECT_EQ(judged(runs).verdict, Verdict::inconclusive) << "six runs since are no history";
  runs.resize(40);
  const Verdicts verdicts = judged(runs);
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr(", undone from run run-14 on"));
}

TEST(History, FewRunsAndWideScatterAreOpen) {
  EXPECT_EQ(judged(runs_of(7, 0, {})).verdict, Verdict::inconclusive);
  EXPECT_THAT(judged(runs_of(7, 0, {})).rows.front().because, HasSubstr("7 runs; at least 8 are needed"));
  EXPECT_EQ(judged(runs_of(8, 0, {}), 0.0005).verdict, Verdict::inconclusive);
}

/// A rise of 3 % in 40 draws of the noise is never accepted, and mostly shown.
TEST(History, ThreePercentAreFoundInMostNoises) {
  int failed = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Verdicts verdicts = judged(runs_of(9, 6, {1.03, new_driver}), 0.02, seed);
    failed += verdicts.verdict == Verdict::fail ? 1 : 0;
    EXPECT_NE(verdicts.verdict, Verdict::pass) << seed;
  }
  EXPECT_GE(failed, 25);
}

/// Shown to be slower, but perhaps by less than the margin: open, and never accepted.
TEST(History, ARiseOfAboutTheMarginIsNotAccepted) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    EXPECT_NE(judged(runs_of(20, 20, {1.022, new_driver}), 0.02, seed).verdict, Verdict::pass) << seed;
}

TEST(History, SeveralRisesBelowTheMarginAddUp) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::vector<MadeRun> runs;
    for (const double slower : {1.0, 1.015, 1.03, 1.045}) runs.resize(runs.size() + 20, {slower, old_driver});
    const Verdicts verdicts = judged(runs, 0.02, seed);
    EXPECT_EQ(verdicts.verdict, Verdict::fail) << seed;
    EXPECT_NEAR(verdicts.rows.front().value->value, 4.5, 0.5);
    EXPECT_THAT(verdicts.rows.front().because, HasSubstr("in 3 steps, of which the largest is 1."));
    EXPECT_THAT(verdicts.rows.front().evidence, testing::Contains(HasSubstr("another change: +1.")));
  }
}

TEST(History, ASteadyDriftIsNotTakenForScatter) {
  std::vector<MadeRun> runs;
  for (int run = 0; run < 40; ++run) runs.push_back({1 + 0.003 * run, old_driver});
  EXPECT_EQ(judged(runs).verdict, Verdict::fail);
}

/// Six points a run would show what two do not: their mean scatters less.
TEST(History, WhatAllPointsShareShowsBeforeEachDoes) {
  int common = 0, single = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Verdicts verdicts = judged(runs_of(12, 8, {1.0045, new_driver}), 0.0005, seed);
    common += verdicts.rows.front().verdict == Verdict::fail ? 1 : 0;
    single += verdicts.rows.back().verdict == Verdict::fail ? 1 : 0;
  }
  EXPECT_GT(common, single);
}

TEST(History, NoAbsurdBoundIsPrinted) {
  const Verdicts verdicts = judged(runs_of(8, 0, {}), 0.0005);
  for (const VerdictRow& row : verdicts.rows)
    EXPECT_THAT(row.because, testing::Not(testing::ContainsRegex("inf|[0-9]{4}[.]"))) << row.because;
}

TEST(History, IsNotAskedWithoutItsMargin) {
  const Store store = store_of(runs_of(9, 6, {1.03, new_driver}));
  EXPECT_TRUE(test::ask_judge("history", Evidence{store}).empty());
}

TEST(ContextChanges, LeaveOutWhatChangesByTheMinute) {
  ContextRecord before, after;
  before.machine = {{"memory", {{"bytes", 64}, {"available_bytes", 60}}}, {"gpus", {{{"vbios", "1"}}}}};
  after.machine = {{"memory", {{"bytes", 32}, {"available_bytes", 20}}},
                   {"gpus", {{{"vbios", "1"}}, {{"vbios", "1"}}}}};
  EXPECT_THAT(changes_between(before, after),
              testing::ElementsAre("memory.bytes: 64 -> 32", "gpus[1].vbios: absent -> 1"));
}

}  // namespace
}  // namespace assay::results
