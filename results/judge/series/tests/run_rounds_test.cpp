// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/run_rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "results/judge/series/fleet_kind.hpp"
#include "results/store/retest.hpp"

namespace assay::results {
namespace {

using testing::Each, testing::Property, testing::UnorderedElementsAre;

constexpr double hour = 3600, day = 24 * hour;

/// Hosts of one metric, by the runs that they made.
class Diary {
 public:
  explicit Diary(std::uint32_t hosts) {
    kind_.fleet.unit_level = "host";
    kind_.metric("memory.copy");
    for (std::uint32_t host = 0; host < hosts; ++host)
      kind_.fleet.units.push_back({"h" + std::to_string(host), "x", {}});
  }

  void run(std::uint32_t host, double started_s, double seconds = 1, bool in_retest = false) {
    kind_.runs.push_back({{0, host, seconds}});
    runs_.push_back({started_s, in_retest});
  }

  std::vector<std::uint32_t> rounds() const {
    std::vector<double> started_s;
    for (const RunOfFleet& one : runs_) started_s.push_back(one.started_s);
    return rounds_of_runs(kind_.fleet, kind_.runs, started_s);
  }
  MeasuredFleet arranged() const { return arrange(kind_, runs_); }

 private:
  FleetKind kind_;
  std::vector<RunOfFleet> runs_;
};

/// Ten hosts on days, a run a host each day, a minute apart; `left_out`: (day, host).
Diary days(int count, const std::vector<std::pair<int, std::uint32_t>>& left_out) {
  Diary diary(10);
  for (int at = 0; at < count; ++at)
    for (std::uint32_t host = 0; host < 10; ++host)
      if (std::ranges::find(left_out, std::pair(at, host)) == left_out.end())
        diary.run(host, at * day + 60 * host, 1 + at);
  return diary;
}

TEST(RunRounds, AreDaysWhicheverHostsMissedOne) {
  const Diary diary = days(4, {{0, 0}, {0, 9}, {2, 5}});
  std::vector<std::uint32_t> expected(8, 0);
  expected.resize(18, 1);
  expected.resize(27, 2);
  expected.resize(37, 3);
  EXPECT_EQ(diary.rounds(), expected);
}

TEST(RunRounds, LeaveAGapWhereAHostMissedADay) {
  const MeasuredFleet fleet = days(4, {{0, 0}}).arranged();
  ASSERT_EQ(fleet.again.size(), 3U);
  EXPECT_TRUE(std::isnan(fleet.first.at(0, 0)));
  EXPECT_EQ(fleet.first.at(0, 1), 1);
  for (std::size_t round = 0; round < 3; ++round)
    EXPECT_EQ(fleet.again[round].at(0, 0), fleet.again[round].at(0, 1)) << "its value of that day";
}

TEST(RunRounds, NeedNoPauseBetweenThem) {
  Diary diary(10);
  for (int run = 0; run < 30; ++run) diary.run(static_cast<std::uint32_t>(run % 10), 60 * run);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t run = 0; run < 30; ++run) expected.push_back(run / 10);
  EXPECT_EQ(diary.rounds(), expected);
}

TEST(RunRounds, AreCountedWhereHostsFollowEachOtherWithAllTheirRuns) {
  Diary diary(10);
  for (std::uint32_t host = 0; host < 10; ++host)
    for (int run = 0; run < 3; ++run) diary.run(host, 60 * (3 * host + run));
  EXPECT_THAT(diary.rounds(), Each(0U));
  const MeasuredFleet fleet = diary.arranged();
  EXPECT_EQ(fleet.again.size(), 2U);
  EXPECT_TRUE(fleet.gaps.empty());
  EXPECT_TRUE(fleet.missing.empty());
}

TEST(RunRounds, CountTheRunOfThatHourAndNotTheTrialBefore) {
  Diary diary(10);
  diary.run(3, -2 * day, 7);
  for (int at = 0; at < 2; ++at)
    for (std::uint32_t host = 0; host < 10; ++host) diary.run(host, at * day + 60 * host, 1 + at);
  const MeasuredFleet fleet = diary.arranged();
  EXPECT_EQ(fleet.first.at(0, 3), 1);
  EXPECT_EQ(fleet.again.at(0).at(0, 3), 7);
  EXPECT_EQ(fleet.again.at(1).at(0, 3), 2);
}

TEST(RunRounds, AreTheSameWhereNoStartIsKnown) {
  Diary known(10), unknown(10);
  for (int run = 0; run < 30; ++run) {
    known.run(static_cast<std::uint32_t>(run % 10), 60 * run);
    unknown.run(static_cast<std::uint32_t>(run % 10), std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_EQ(known.rounds(), unknown.rounds());
}

TEST(RoundGaps, OfAQuarterOfTheRoundsAreNamedAndMoreAreMissing) {
  const MeasuredFleet fleet = days(5, {{0, 0}, {1, 1}, {3, 1}}).arranged();
  EXPECT_THAT(fleet.gaps, UnorderedElementsAre(
                              Property(&FleetIssue::text, "h0: measured in 4 of 5 rounds of its equals")));
  EXPECT_THAT(fleet.missing, UnorderedElementsAre(
                                 Property(&FleetIssue::text, "h1: measured in 3 of 5 rounds of its equals")));
}

TEST(RoundGaps, AreNoneOfHostsThatWereMeasuredAgainAlone) {
  Diary diary(10);
  for (std::uint32_t host = 0; host < 10; ++host) diary.run(host, 60 * host);
  for (std::uint32_t host = 0; host < 4; ++host) diary.run(host, hour + 60 * host);
  const MeasuredFleet fleet = diary.arranged();
  EXPECT_TRUE(fleet.gaps.empty());
  EXPECT_TRUE(fleet.missing.empty());
}

TEST(RoundGaps, AreNoneOfHostsThatACampaignDidNotTestAgain) {
  for (const bool in_retest : {true, false}) {
    Diary diary(10);
    for (std::uint32_t host = 0; host < 10; ++host) diary.run(host, 60 * host);
    for (std::uint32_t host = 0; host < 9; ++host) diary.run(host, hour + 60 * host, 1, in_retest);
    EXPECT_EQ(diary.arranged().missing.empty(), in_retest);
  }
  Diary one_of_them(10);
  for (std::uint32_t host = 0; host < 10; ++host) one_of_them.run(host, 60 * host);
  for (std::uint32_t host = 0; host < 9; ++host) one_of_them.run(host, hour + 60 * host, 1, host == 4);
  EXPECT_FALSE(one_of_them.arranged().missing.empty()) << "a run called a retest hides no one's gap";
  EXPECT_TRUE(is_retest("c1.alone-retest-2.n7"));
  EXPECT_FALSE(is_retest("c1.alone-2.n7"));
}

TEST(RoundGaps, OfAllGpusOfAHostAreOneRow) {
  FleetKind kind;
  kind.fleet.levels = {"host"};
  kind.metric("gemm"), kind.metric("copy");
  for (int unit = 0; unit < 32; ++unit) {
    const std::string host = "h" + std::to_string(unit / 4);
    kind.fleet.units.push_back({host + "/gpu" + std::to_string(unit % 4), "x", {host}});
  }
  std::vector<RunOfFleet> runs;
  for (int at = 0; at < 5; ++at)
    for (std::uint32_t host = 0; host < 8; ++host) {
      kind.runs.emplace_back();
      runs.push_back({at * day + 60 * host});
      for (std::uint32_t unit = 4 * host; unit < 4 * host + 4; ++unit) {
        kind.runs.back().push_back({0, unit, 1});
        if (host != 2 || at < 2) kind.runs.back().push_back({1, unit, 1});
      }
    }
  const MeasuredFleet fleet = arrange(kind, runs);
  EXPECT_THAT(fleet.missing, UnorderedElementsAre(Property(
                                 &FleetIssue::text,
                                 "h2: its 4 gpus: 1 of 2 points measured in 2 of 5 rounds of its equals")));
}

}  // namespace
}  // namespace assay::results
