// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/front/suite/burn_in/burn_in_log.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;
using results::Verdict;

TimelineEntry rate(int gpu, std::int64_t round, double tflops) {
  return {.kind = rate_kind,
          .unit = "GPU " + std::to_string(gpu),
          .value = tflops,
          .more = {{"round", round}, {"point", std::string("gemm.cuda.node_matmul/m=64")}}};
}

/// Units with a row of this metric and verdict.
std::vector<std::string> units(const std::vector<results::VerdictRow>& rows, const std::string& metric,
                               Verdict verdict) {
  std::vector<std::string> found;
  for (const results::VerdictRow& row : rows)
    if (row.metric == metric && row.verdict == verdict) found.push_back(row.unit);
  return found;
}

TEST(BurnInRates, AGpuFourPercentBehindTheMedianFailsAndAllOthersPass) {
  std::vector<TimelineEntry> timeline;
  for (int gpu = 0; gpu < 8; ++gpu) timeline.push_back(rate(gpu, 1, gpu == 5 ? 576 : 600 + 0.5 * gpu));
  const auto rows = rate_rows(timeline);
  EXPECT_EQ(units(rows, "tflops_of_equals", Verdict::fail), std::vector<std::string>{"GPU 5"});
  EXPECT_EQ(units(rows, "tflops_of_equals", Verdict::pass).size(), 7U);
}

TEST(BurnInRates, OfTwoGpusNobodyKnowsWhichIsTheSlowOne) {
  EXPECT_TRUE(rate_rows(std::vector{rate(0, 1, 600), rate(1, 1, 400)}).empty());
}

TEST(BurnInRates, AGpuThatLosesSpeedOverASoakFailsThoughItIsStillAsFastAsItsEquals) {
  std::vector<TimelineEntry> timeline;
  for (std::int64_t round = 1; round <= 9; ++round)
    for (int gpu = 0; gpu < 4; ++gpu)
      timeline.push_back(rate(gpu, round, gpu == 2 ? 615 - 4.0 * static_cast<double>(round) : 600));
  for (TimelineEntry& entry : timeline) entry.more.emplace_back("mhz", 1500 + *entry.number());
  const auto rows = rate_rows(timeline);
  const auto failed = std::ranges::find(rows, Verdict::fail, &results::VerdictRow::verdict);
  ASSERT_NE(failed, rows.end());
  EXPECT_EQ(failed->evidence, std::vector<std::string>{"2107 MHz at first, 2083 MHz at last"});
  EXPECT_EQ(units(rows, "tflops_drift", Verdict::fail), std::vector<std::string>{"GPU 2"});
  EXPECT_EQ(units(rows, "tflops_drift", Verdict::pass).size(), 3U);
  EXPECT_TRUE(units(rows, "tflops_of_equals", Verdict::fail).empty());
}

TEST(BurnInRates, WhatAKilledSessionReportedIsNotReportedAgain) {
  TimelineEntry began{.kind = "round", .value = std::string("began"), .more = {{"round", std::int64_t{1}}}};
  TimelineEntry reported = rate(0, 1, 600);
  reported.more.emplace_back("of", std::string("gemm"));
  const BurnInSoFar before = so_far({began, reported});
  ModuleTally now;
  now.rates = {{.unit = "GPU 0", .together = 600}, {.unit = "GPU 1", .together = 601}};
  const ModuleTally more = since(before.reported.at("gemm"), now);
  ASSERT_EQ(more.rates.size(), 1U);
  EXPECT_EQ(more.rates[0].unit, "GPU 1");
}

TEST(BurnInRates, FivePointsSayNothingOfDrift) {
  std::vector<TimelineEntry> timeline;
  for (std::int64_t round = 1; round <= 5; ++round)
    timeline.push_back(rate(0, round, 600 - 50.0 * static_cast<double>(round)));
  EXPECT_TRUE(rate_rows(timeline).empty());
}

TEST(BurnInRates, ARecordNamesEachGpuByItsAddress) {
  results::PointRecord record;
  record.case_name = "gemm.cuda.node_matmul";
  record.key = "m=64";
  for (const std::string gpu : {"gpu0", "gpu1"}) {
    record.conditions.emplace_back(gpu + "_pci_address", "0000:" + gpu.substr(3) + "b:00.0");
    record.conditions.emplace_back(gpu + "_tflops_together", 600.0);
    record.conditions.emplace_back(gpu + "_tflops_alone", 610.0);
  }
  const std::vector<GpuRate> rates = gpu_rates_of(record);
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[1].unit, "GPU 1 0000:1b:00.0");
  EXPECT_EQ(rates[1].alone, 610);
  record.status = results::Status::wrong;
  EXPECT_TRUE(gpu_rates_of(record).empty()) << "what computes wrong has no speed";
}

}  // namespace
}  // namespace assay::suite
