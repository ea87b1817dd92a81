// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_standing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::results {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::SizeIs;

/// Times of one point on GPUs of hosts of two, in seconds.
MeasuredFleet of_times(const std::vector<double>& times_s) {
  MeasuredFleet measured;
  Fleet& fleet = measured.first;
  fleet.metrics = {{"gemm.cuda.matmul", "gemm", false}};
  fleet.levels = {"host"};
  for (std::size_t gpu = 0; gpu < times_s.size(); ++gpu) {
    const std::string host = "h" + std::to_string(gpu / 2);
    fleet.units.push_back({host + "/gpu" + std::to_string(gpu % 2), "H100", {host}});
  }
  fleet.values = times_s;
  return measured;
}

TEST(FleetStanding, SpreadsAreOffTheMedianAndSlowerIsBelowZero) {
  const auto standing = standing_of({of_times({1e-3, 1.01e-3, 1e-3, 0.99e-3, 1e-3, 1.25e-3})});
  ASSERT_THAT(standing.spreads, SizeIs(1));
  const MetricSpread& spread = standing.spreads.front();
  EXPECT_EQ(spread.units, 6);
  EXPECT_NEAR(spread.median_us, 1000, 1e-9);
  EXPECT_NEAR(spread.percent.front(), -20, 1e-9) << "1.25 times the time is 0.8 times the pace";
  EXPECT_NEAR(spread.percent.back(), 100 * (1 / 0.99 - 1), 1e-9);
  EXPECT_NEAR(spread.percent[3], 0, 1e-9);
  // Deviations 0, 0, 0, ln 0.99, -ln 0.99, ln 1.25: the median of their sizes is half of -ln 0.99.
  EXPECT_NEAR(spread.robust_sd_percent, 100 * 1.4826 * -std::log(0.99) / 2, 1e-2);
}

TEST(FleetStanding, TheWorstUnitAndItsHostStandFirst) {
  const auto standing = standing_of({of_times({1e-3, 1.01e-3, 1e-3, 0.99e-3, 1e-3, 1.25e-3})});
  ASSERT_THAT(standing.units, SizeIs(6));
  EXPECT_EQ(standing.units[0].name, "h2/gpu1");
  EXPECT_NEAR(standing.units[0].percent, -20, 1e-9);
  EXPECT_EQ(standing.units[0].metric, "gemm.cuda.matmul");
  ASSERT_THAT(standing.hosts, SizeIs(3));
  EXPECT_EQ(standing.hosts[0].name, "h2");
  EXPECT_EQ(standing.hosts[0].unit, "h2/gpu1");
  EXPECT_EQ(standing.hosts[0].gpus, 2);
  EXPECT_EQ(standing.hosts[0].measured, 2);
}

TEST(FleetStanding, WhatFailedAndWhatIsMissingStandBeforeWhatIsSlow) {
  MeasuredFleet measured = of_times({1e-3, 1.01e-3, 1e-3, 0.99e-3, 1e-3, 1.25e-3, 1e-3, 1e-3});
  measured.failed = {{"h0/gpu1", "gemm.cuda.matmul", "failed: Xid 79"}};
  measured.missing = {{.unit = "h3", .reason = "2 GPUs, most hosts have 8"},
                      {.unit = "h9", .reason = "nothing was measured"}};
  const auto standing = standing_of({measured});
  ASSERT_THAT(standing.hosts, SizeIs(5));
  EXPECT_EQ(standing.hosts[0].name, "h0");
  EXPECT_EQ(standing.hosts[0].failed, 1);
  EXPECT_EQ(standing.hosts[1].name, "h3");
  EXPECT_TRUE(standing.hosts[1].missing);
  EXPECT_EQ(standing.hosts[2].name, "h9");
  EXPECT_EQ(standing.hosts[2].measured, 0);
  EXPECT_EQ(standing.hosts[3].name, "h2");
}

TEST(FleetStanding, AUnitWhoseNameHasAColonKeepsAllOfIt) {
  MeasuredFleet measured = of_times({1e-3, 1e-3});
  measured.missing = {{.unit = "h0/mlx5_0:1", .reason = "2 of 40 points"}};
  EXPECT_EQ(standing_of({measured}).units.front().name, "h0/mlx5_0:1");
}

TEST(FleetStanding, UnitsWithoutAValueAreCountedNowhere) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto standing = standing_of({of_times({1e-3, none, 1e-3, 1.1e-3})});
  EXPECT_EQ(standing.spreads.front().units, 3);
  EXPECT_EQ(standing.units.front().name, "h1/gpu1");
  EXPECT_EQ(standing_of({of_times({none, none})}).spreads.front().units, 0);
}

TEST(HostTable, SaysHowManyAreLeftOut) {
  std::vector<double> times_s(240, 1e-3);
  times_s[7] = 2e-3;
  const auto standing = standing_of({of_times(times_s)});
  const Table table = host_table(standing, 0);
  EXPECT_THAT(table.rows, SizeIs(50));
  EXPECT_THAT(table.title, HasSubstr("120 hosts"));
  EXPECT_THAT(table.notes, Contains("The worst 50 of 120; 70 are left out, a limit shows more."));
  EXPECT_THAT(host_table(standing, 120).rows, SizeIs(120));
  EXPECT_THAT(host_table(standing, 120).notes, SizeIs(1));
  EXPECT_THAT(to_csv(host_table(standing, 1)), HasSubstr("h3,2,2,0"));
  EXPECT_THAT(to_text(unit_table(standing, 1)), HasSubstr("h3/gpu1"));
  EXPECT_THAT(to_text(spread_table(standing)), HasSubstr("gemm.cuda.matmul"));
}

}  // namespace
}  // namespace assay::results
