// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/arrivals.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

std::map<std::string, double> values_of(const std::vector<core::Metric>& metrics) {
  std::map<std::string, double> values;
  for (const core::Metric& metric : metrics) values[metric.name] = metric.value;
  return values;
}

/// Rank 1 comes 2, 4 and 6 us after rank 0.
std::vector<RankFigures> two_ranks() {
  return {{.iterations = 4, .seconds = 40e-6, .entries_s = {1.0, 2.0, 3.0}},
          {.iterations = 4,
           .seconds = 80e-6,
           .clock_uncertainty_s = 3e-6,
           .entries_s = {1.000002, 2.000004, 3.000006, 4.0}}};
}

TEST(Arrivals, GiveTheSkewOfTheIterationsThatAllRanksKept) {
  const auto values = values_of(metrics_of(two_ranks()));
  EXPECT_NEAR(values.at("arrival_skew_us"), 4, 1e-6);
  EXPECT_NEAR(values.at("clock_uncertainty_us"), 3, 1e-9);
  EXPECT_FALSE(values.contains("arrival_skew_p99_us"));  // three samples say nothing of it
}

TEST(Arrivals, GiveTheMeansThatImbReports) {
  const auto values = values_of(metrics_of(two_ranks()));
  EXPECT_NEAR(values.at("rank_mean_min_us"), 10, 1e-9);
  EXPECT_NEAR(values.at("rank_mean_max_us"), 20, 1e-9);
  EXPECT_NEAR(values.at("rank_mean_avg_us"), 15, 1e-9);
}

TEST(Arrivals, NameTheRankThatIsMostOftenLast) {
  const auto facts = latest_of(two_ranks(), {4, 6});
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(std::get<std::int64_t>(facts[0].second), 6);
  EXPECT_EQ(std::get<double>(facts[1].second), 1.0);
}

TEST(Arrivals, OfOneRankHaveNoSkew) {
  const std::vector<RankFigures> one{{.iterations = 1, .seconds = 1e-6, .entries_s = {1.0}}};
  EXPECT_FALSE(values_of(metrics_of(one)).contains("arrival_skew_us"));
  EXPECT_TRUE(latest_of(one, {0}).empty());
}

TEST(RankFigures, TravelAsText) {
  const std::vector<RankFigures> sent{{0, 7, 0.5, 1e-6, 10, 20, {100.123456789, 200.5}, {}},
                                      {2, 1, 0.25, 0, 0, 0, {1.0}, {3e-6}}};
  const std::vector<RankFigures> heard = rank_figures_from(to_text(sent));
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].iterations, 7);
  EXPECT_EQ(heard[0].seconds, 0.5);
  EXPECT_EQ(heard[0].bytes_inside, 10);
  EXPECT_EQ(heard[0].bytes_across, 20);
  ASSERT_EQ(heard[0].entries_s.size(), 2U);
  EXPECT_NEAR(heard[0].entries_s[0], 100.123456789, 1e-9);
  EXPECT_EQ(heard[1].group, 2);
  ASSERT_EQ(heard[1].durations_s.size(), 1U);
  EXPECT_NEAR(heard[1].durations_s[0], 3e-6, 1e-12);
}

TEST(RankFigures, OfARankInNoGroupAreNone) { EXPECT_TRUE(rank_figures_from(to_text({})).empty()); }

TEST(RankFigures, OfOtherTextAreRefused) { EXPECT_THROW(rank_figures_from("7 half"), core::Error); }

TEST(GroupMetrics, TellEachGroupsSlowestRankAndWhichGroupIsSlowest) {
  const RankFigures fast{.entries_s = {1.0, 2.0, 3.0}, .durations_s = {1e-6, 2e-6, 1e-6}};
  const RankFigures slow{.group = 1, .entries_s = {1.0, 2.0, 3.0}, .durations_s = {4e-6, 4e-6, 4e-6}};
  RankFigures late = fast;
  late.durations_s = {2e-6, 1e-6, 2e-6};
  const auto values = values_of(group_metrics({{fast, late}, {slow}}));
  EXPECT_NEAR(values.at("group0_time_us"), 2, 1e-9);
  EXPECT_NEAR(values.at("group1_time_us"), 4, 1e-9);
  EXPECT_NEAR(values.at("slowest_over_fastest_group"), 2, 1e-9);
  EXPECT_EQ(values.at("group0_arrival_skew_us"), 0);
  EXPECT_FALSE(values.contains("group1_arrival_skew_us"));  // a rank alone waits for nobody
}

TEST(Phases, EndWhereTheLastRankEndsThem) {
  // Rank 1 comes 1 s late; the second phase is rank 0's alone, so rank 1 ends it with its first.
  const std::vector<RankFigures> ranks{{.entries_s = {10}, .phase_ends_s = {3, 7, 8}},
                                       {.entries_s = {11}, .phase_ends_s = {1, 1, 8}}};
  std::vector<core::Metric> metrics;
  add_phases(metrics, ranks, {"inside", "across", "inside"});
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_EQ(metrics[0].name, "phase1_inside_us");
  EXPECT_NEAR(metrics[0].value, 2e6, 1e-3);  // 11 to 13
  EXPECT_EQ(metrics[1].name, "phase2_across_us");
  EXPECT_NEAR(metrics[1].value, 4e6, 1e-3);  // to 17
  EXPECT_EQ(metrics[2].name, "phase3_inside_us");
  EXPECT_NEAR(metrics[2].value, 2e6, 1e-3);  // to 19
}

TEST(Phases, AreKeptOnTheWayToTheLeaderAndAbsentWithoutAny) {
  const auto read = rank_figures_from(to_text({{.entries_s = {1, 2}, .phase_ends_s = {0.5, 1, 0.25, 0.75}}}));
  EXPECT_EQ(read.front().phase_ends_s, (std::vector<double>{0.5, 1, 0.25, 0.75}));
  std::vector<core::Metric> metrics;
  add_phases(metrics, {{.entries_s = {1}}}, {});
  add_phases(metrics, {{.entries_s = {}}}, {"inside", "across"});
  EXPECT_TRUE(metrics.empty());
}

}  // namespace
}  // namespace assay::collectives
